import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { tierPolicy } from '../tiers.ts';
import { readPolicy } from './load.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-policy-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: string | Uint8Array): string {
  const path = join(folder, 'policy.json');
  writeFileSync(path, content);
  return path;
}

describe('readPolicy', () => {
  it.each(['LOW', 'low', 'Low'])('knows the tier %s', (name) => {
    expect(readPolicy(name)).toEqual({ policy: tierPolicy('LOW'), notices: [] });
  });

  it('reads a file, with or without a byte order mark', () => {
    const text = JSON.stringify({ extends: 'HIGH', name: 'mine' });
    expect(readPolicy(file(text)).policy).toEqual({ ...tierPolicy('HIGH'), name: 'mine' });
    expect(readPolicy(file(`\ufeff${text}`)).policy.name).toBe('mine');
  });

  it.each<[string, () => string, RegExp]>([
    ['a missing file', () => join(folder, 'none.json'), /cannot read the policy .*ENOENT/],
    ['a folder', () => folder, /it is not a file/],
    ['a device', () => '/dev/zero', /it is not a file/],
    ['an empty name', () => '', /cannot read the policy/],
    ['a name with NUL', () => 'a\0b', /cannot read the policy/],
    [
      'bad JSON',
      () => file('{\n  "extends": "LOW",\n}'),
      /line 3, column 1: expected a key in double quotes, found "}"/,
    ],
    [
      'an equal key',
      () => file('{"extends": "LOW",\n "extends": "HIGH"}'),
      /line 2, column 2: the key "extends" stands twice/,
    ],
    ['bytes', () => file(new Uint8Array([0xff, 0xfe, 0])), /is not UTF-8/],
    ['a large file', () => file(' '.repeat(1024 * 1024 + 1)), /is larger than 1048576 bytes/],
    [
      'another document',
      () => file('{"name": "hotcell", "dependencies": {}}'),
      /dependencies: expected one of the keys/,
    ],
  ])('refuses %s', (_name, path, message) => {
    expect(() => readPolicy(path())).toThrow(UsageError);
    expect(() => readPolicy(path())).toThrow(message);
  });

  it('guesses a misspelt tier', () => {
    try {
      readPolicy('MEDUIM');
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).hint).toBe('did you mean MEDIUM?');
    }
  });
});
