import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { policySchema } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { adjustPolicy, readEnvironment, readTime, readWorkFolder } from './adjust-policy.ts';

describe('readEnvironment', () => {
  it('splits at the first equals sign only', () => {
    expect({ ...readEnvironment(['A=1', 'B=', 'C=x=y', 'A=2']) }).toEqual({ A: '2', B: '', C: 'x=y' });
  });

  it('takes no name for something else', () => {
    expect(Object.keys(readEnvironment(['__proto__=x']))).toEqual(['__proto__']);
  });

  it.each(['A', '=x', ''])('refuses %j', (pair) => {
    expect(() => readEnvironment([pair])).toThrow(UsageError);
  });
});

describe('readTime', () => {
  it.each([
    ['100', 100],
    ['2000', 2000],
    ['604800000', 604_800_000],
  ])('%s', (text, ms) => {
    expect(readTime(text)).toBe(ms);
  });

  it.each(['', '99', '604800001', '-5', '1.5', '1e3', '0x64', '5s', 'Infinity', ' 100'])('refuses %j', (text) => {
    expect(() => readTime(text)).toThrow(/expected a whole number of milliseconds/);
  });
});

describe('readWorkFolder', () => {
  let root = '';

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'work-folder-')));
    mkdirSync(join(root, 'real'));
    writeFileSync(join(root, 'file'), '');
    symlinkSync('real', join(root, 'link'));
    symlinkSync('/proc', join(root, 'kernel'));
    symlinkSync('nowhere', join(root, 'dangling'));
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it.each([
    ['real', 'real'],
    ['./real/..', '.'],
    ['link', 'real'],
  ])('%s', (path, expected) => {
    expect(readWorkFolder(path, root)).toBe(join(root, expected));
  });

  it.each(['file', 'dangling', 'absent', '/', '/proc', '/sys/kernel', '/dev', 'kernel', '../../../../../..'])(
    'refuses %s',
    (path) => {
      expect(() => readWorkFolder(path, root)).toThrow(UsageError);
    },
  );
});

describe('adjustPolicy', () => {
  const low = tierPolicy('LOW');

  it('changes nothing when nothing is asked for', () => {
    expect(adjustPolicy(low, {})).toEqual(low);
  });

  it('adds one view and one limit, and the result is a policy', () => {
    const adjusted = adjustPolicy(low, { wallMs: 500, workFolder: '/srv/x' });
    expect(adjusted.limits).toEqual({ ...low.limits, wallMs: 500 });
    expect(adjusted.files.slice(0, -1)).toEqual(low.files);
    expect(adjusted.files.at(-1)).toMatchObject({ path: '/srv/x', access: 'execute' });
    expect(policySchema.safeParse(adjusted).success).toBe(true);
  });
});
