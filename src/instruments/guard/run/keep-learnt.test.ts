import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { Store } from '../../../engine/store/index.ts';
import { noteMode } from './audit-age.ts';
import { keepLearnt } from './keep-learnt.ts';
import { policyFile, readLearnt } from './learnt-file.ts';

const home = mkdtempSync(join(tmpdir(), 'hotcell-learnt-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const low = tierPolicy('LOW');
const seeing = (path: string) => ({ ...low, files: [{ path, access: 'read' as const, seenIn: [`event of ${path}`] }] });

describe('keepLearnt', () => {
  const file = policyFile(home, 'npm:@scope/server');

  it('joins what was learnt with what was known, for its owner alone', async () => {
    expect(await readLearnt(file)).toBeNull();
    await keepLearnt(file, seeing('/srv/a'));
    await keepLearnt(file, seeing('/srv/b'));
    expect((await readLearnt(file))?.files.map(({ path }) => path)).toEqual(['/srv/a', '/srv/b']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toHaveLength(1);
  });

  it('does not take a broken file for none', async () => {
    const broken = join(home, 'broken.json');
    writeFileSync(broken, '{');
    await expect(readLearnt(broken)).rejects.toThrow();
  });

  it.each([
    ['npm:@scope/server', 'npm:@scope_server'],
    ['folder:/a b', 'folder:/a/b'],
    ['../../etc', 'etc'],
  ])('keeps %s and %s apart, and below the folder', (left, right) => {
    const files = [policyFile(home, left), policyFile(home, right)];
    expect(new Set(files).size).toBe(2);
    for (const each of files) expect(dirname(each)).toBe(join(home, 'guard', 'policies'));
  });
});

describe('noteMode', () => {
  it('warns when a trial is older than a week, and forgets it when it is over', () => {
    using store = Store.open(join(home, 'state.sqlite'));
    const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));
    expect(noteMode(store, 's', 'audit', at(1))).toMatchObject({ days: 0, isStale: false });
    expect(noteMode(store, 's', 'audit', at(8))).toMatchObject({ days: 7, isStale: false });
    expect(noteMode(store, 's', 'audit', at(9))).toMatchObject({ days: 8, isStale: true });
    expect(noteMode(store, 'other', 'audit', at(9))).toMatchObject({ isStale: false });
    expect(noteMode(store, 's', 'enforce', at(30))).toMatchObject({ days: 0, isStale: false });
    expect(noteMode(store, 's', 'audit', at(31))).toMatchObject({ days: 0, isStale: false });
  });
});
