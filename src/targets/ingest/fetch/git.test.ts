import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostError, TargetError } from '../../../base/errors.ts';
import { parseGitUrl } from '../target/git-spec.ts';
import { unpack } from '../unpack/unpack.ts';
import type { FetchContext } from './contract.ts';
import { fetchGit } from './git.ts';

/** Repositories are made here and reached as file://; nothing leaves the machine. */

let folder = '';
let origin = '';
let first = '';
let second = '';
let count = 0;

function git(...args: readonly string[]): string {
  const quiet = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example',
    '-c',
    'init.defaultBranch=main',
    '-c',
    'commit.gpgsign=false',
  ];
  const environment = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...quiet, ...args], { cwd: origin, env: environment, encoding: 'utf8' }).trim();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hotcell-git-'));
  origin = join(folder, 'origin');
  mkdirSync(join(origin, 'sub'), { recursive: true });
  git('init', '--quiet');
  writeFileSync(join(origin, 'a.txt'), 'one');
  git('add', '.');
  git('commit', '-qm', 'first');
  first = git('rev-parse', 'HEAD');
  git('tag', 'v1');
  writeFileSync(join(origin, 'a.txt'), 'two\r\n');
  writeFileSync(join(origin, 'hidden.txt'), 'seen');
  writeFileSync(join(origin, 'subst.txt'), '$Format:%H$');
  writeFileSync(join(origin, 'filtered.txt'), 'as it is');
  writeFileSync(join(origin, 'sub/b.txt'), 'below');
  writeFileSync(
    join(origin, '.gitattributes'),
    'hidden.txt export-ignore\nsubst.txt export-subst\nfiltered.txt filter=evil\n',
  );
  symlinkSync('/etc/passwd', join(origin, 'link'));
  git('add', '.');
  git('commit', '-qm', 'second');
  second = git('rev-parse', 'HEAD');
  // A filter that the user has set up must not be started by a repository that asks for it.
  const marker = join(folder, 'filter-ran');
  writeFileSync(
    join(folder, '.gitconfig'),
    `[filter "evil"]\n\tsmudge = touch ${marker}\n\tclean = touch ${marker}\n\trequired = true\n`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function context(more: Partial<FetchContext> = {}): FetchContext {
  return {
    cwd: folder,
    home: folder,
    environment: { PATH: process.env.PATH },
    cacheFolder: join(folder, 'cache'),
    isOffline: false,
    ...more,
  };
}

async function fetched(
  text: string,
): Promise<{ version: string; read(name: string): string; ids: string[]; has(name: string): boolean }> {
  count += 1;
  const into = join(folder, `into-${count}`);
  const { archive, version } = await fetchGit(parseGitUrl(text), context(), into);
  const unpacked = await unpack(archive, join(into, 'files'));
  return {
    version,
    ids: unpacked.issues.map(({ id }) => id),
    read: (name) => readFileSync(join(into, 'files', name), 'utf8'),
    has: (name) => existsSync(join(into, 'files', name)),
  };
}

describe('a repository', () => {
  it('gives the newest commit, whole and unchanged', async () => {
    const { version, read, has, ids } = await fetched(`git+file://${origin}`);
    expect(version).toBe(second);
    expect(read('a.txt')).toBe('two\r\n');
    expect(read('hidden.txt')).toBe('seen');
    expect(read('subst.txt')).toBe('$Format:%H$');
    expect(read('filtered.txt')).toBe('as it is');
    expect(has('link')).toBe(false);
    expect(ids).toEqual(['link-out']);
    expect(existsSync(join(folder, 'filter-ran'))).toBe(false);
  });

  it.each<[string, () => string, () => string]>([
    ['a tag', () => '#v1', () => first],
    ['a branch', () => '#main', () => second],
    ['a commit', () => `#${first}`, () => first],
  ])('gives %s', async (_, ref, commit) => {
    expect((await fetched(`git+file://${origin}${ref()}`)).version).toBe(commit());
  });

  it('gives one folder', async () => {
    const { read, has } = await fetched(`git+file://${origin}@main#subdirectory=sub`);
    expect(read('b.txt')).toBe('below');
    expect(has('a.txt')).toBe(false);
  });

  it.each([
    ['#no-such-branch', TargetError, /couldn't find remote ref/],
    [`#${'0'.repeat(40)}`, TargetError, /no commit|not our ref/],
    ['@main#subdirectory=nowhere', Error, /reading the commit failed/],
  ])('has no %s', async (ref, kind, message) => {
    const failing = fetched(`git+file://${origin}${ref}`);
    await expect(failing).rejects.toThrow(kind);
    await expect(failing).rejects.toThrow(message);
  });

  it('that is not there is the target’s fault', async () => {
    await expect(fetched(`git+file://${folder}/nowhere`)).rejects.toThrow(TargetError);
  });

  it('is not reached over another protocol than it was asked for', async () => {
    writeFileSync(
      join(folder, 'redirect.gitconfig'),
      `[url "file://${origin}"]\n\tinsteadOf = https://git.invalid/x\n`,
    );
    const environment = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: join(folder, 'redirect.gitconfig') };
    const fetching = fetchGit(
      parseGitUrl('git+https://git.invalid/x'),
      context({ environment }),
      join(folder, 'other'),
    );
    await expect(fetching).rejects.toThrow(/transport 'file' not allowed/);
  });

  it('is not fetched offline', async () => {
    const fetching = fetchGit(
      parseGitUrl('git+https://git.invalid/x'),
      context({ isOffline: true }),
      join(folder, 'off'),
    );
    await expect(fetching).rejects.toThrow(HostError);
  });

  it('that is too large is stopped', async () => {
    const small = context({ limits: { maxArchiveBytes: 256 } });
    await expect(fetchGit(parseGitUrl(`git+file://${origin}`), small, join(folder, 'small'))).rejects.toThrow(
      TargetError,
    );
  });
});
