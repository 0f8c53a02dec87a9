import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseGitUrl } from '../target/git-spec.ts';
import type { FetchContext } from './contract.ts';
import { fetchGit } from './git.ts';
import { keep, takeKept } from './git-cache.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-git-cache-'));
  writeFileSync(join(folder, 'a.tar'), 'bytes');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function context(isOffline: boolean): FetchContext {
  return { cwd: folder, home: folder, environment: {}, cacheFolder: join(folder, 'cache'), isOffline };
}

describe('commits that were fetched before', () => {
  it('are found again: a commit always, a branch without a network', async () => {
    await keep(parseGitUrl('git+https://u:p@h.example/x#main'), context(false), join(folder, 'a.tar'), commit);
    const take = (text: string, isOffline: boolean) =>
      takeKept(parseGitUrl(text), context(isOffline), join(folder, 'b.tar'));
    expect(await take('git+https://h.example/x#main', true)).toBe(commit);
    expect(readFileSync(join(folder, 'b.tar'), 'utf8')).toBe('bytes');
    expect(await take('git+https://h.example/x#main', false)).toBeUndefined();
    expect(await take(`git+https://h.example/x#${commit}`, false)).toBe(commit);
    expect(await take('git+https://h.example/x#other', true)).toBeUndefined();
    expect(await take('git+https://h.example/y#main', true)).toBeUndefined();
    expect(await take('git+https://h.example/x@main#subdirectory=s', true)).toBeUndefined();
  });

  it('are used without git', async () => {
    const fetched = await fetchGit(parseGitUrl('git+https://h.example/x#main'), context(true), join(folder, 'into'));
    expect(fetched).toMatchObject({
      name: 'x',
      version: commit,
      integrity: `git-${commit}`,
      origin: 'https://h.example/x',
    });
  });
});
