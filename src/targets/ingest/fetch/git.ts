import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError, TargetError } from '../../../base/errors.ts';
import { type RunResult, runTool } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { GitTarget } from '../target/contract.ts';
import { type FetchContext, type Fetched, limitsOf } from './contract.ts';
import { commitPattern, keep, takeKept } from './git-cache.ts';
import { gitArguments, gitEnvironment } from './git-safety.ts';
import { withoutCredentials } from './shown-url.ts';

/**
 * One commit of a repository as a tar file. There is never a working tree: nothing is checked out, so no filter, hook or
 * submodule of the repository or of the user has anything to do. What is in the tar is decided by the commit alone:
 * the attributes that could leave files out of it or change them are taken back.
 */

const noAttributes = '* -export-ignore -export-subst -filter -text -eol -ident -working-tree-encoding\n';

interface Git {
  run(...args: readonly string[]): Promise<RunResult>;
}

/** `ulimit -f` counts 512 bytes: a repository cannot fill the disk with one pack. */
function createGit(folder: string, target: GitTarget, context: FetchContext): Git {
  const { timeoutMs, maxArchiveBytes } = limitsOf(context);
  const blocks = String(Math.ceil((2 * maxArchiveBytes) / 512));
  const environment = gitEnvironment(target.protocol, context);
  return {
    run: (...args) =>
      runTool('/bin/sh', ['-c', 'ulimit -f "$0" && exec git "$@"', blocks, ...gitArguments(target.protocol), ...args], {
        cwd: folder,
        environment,
        timeoutMs,
      }),
  };
}

function failed(target: GitTarget, result: RunResult, doing: string): HostError | TargetError {
  const last = forTerminal(untrusted(result.stderr.subarray(-400)));
  const message = `git repository ${withoutCredentials(target.url)}: ${doing} failed`;
  if (result.hasTimedOut) return new HostError(`${message}: it did not end in time`);
  if (result.signal !== null || /File size limit|index-pack|unable to write/.test(last)) {
    return new TargetError(`${message}: it is too large or broken`);
  }
  if (result.code === 127) return new HostError(`${message}: there is no git`, { hint: 'install git' });
  const isTarget =
    /not found|couldn't find remote ref|not our ref|does not appear to be a git repository|upload-pack/i.test(last);
  if (isTarget) return new TargetError(`${message}: ${last}`);
  return new HostError(`${message}: ${last}`, { hint: 'git ls-remote with the same URL says whether git reaches it' });
}

async function fetchCommit(git: Git, target: GitTarget): Promise<string> {
  const ref = target.ref ?? 'HEAD';
  const shallow = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--end-of-options'];
  let result = await git.run(...shallow, target.url, ref);
  if (result.code !== 0 && !result.hasTimedOut && commitPattern.test(ref)) {
    // Not every server gives out a commit by its name; then it must be in the history of a branch or a tag.
    result = await git.run('fetch', '--quiet', '--tags', '--end-of-options', target.url, '+refs/*:refs/theirs/*');
  }
  if (result.code !== 0) throw failed(target, result, 'fetching');
  const named = commitPattern.test(ref) ? ref : 'FETCH_HEAD';
  const found = await git.run('rev-parse', '--verify', '--quiet', '--end-of-options', `${named}^{commit}`);
  // rev-parse repeats the option that ends the others.
  const commit = found.stdout.toString('latin1').trim().split('\n').at(-1) ?? '';
  if (found.code !== 0 || !commitPattern.test(commit)) {
    throw new TargetError(`git repository ${withoutCredentials(target.url)}: there is no commit ${ref}`);
  }
  return commit;
}

async function fetchArchive(target: GitTarget, context: FetchContext, into: string, archive: string): Promise<string> {
  const repository = join(into, 'repository');
  await mkdir(repository, { recursive: true });
  const git = createGit(repository, target, context);
  const created = await git.run('init', '--quiet', '--bare', '--template=', '.');
  if (created.code !== 0) throw failed(target, created, 'making an empty repository');
  const commit = await fetchCommit(git, target);
  await mkdir(join(repository, 'info'), { recursive: true });
  await writeFile(join(repository, 'info/attributes'), noAttributes);
  const subject = target.folder === undefined ? commit : `${commit}:${target.folder}`;
  const packed = await git.run('archive', '--format=tar', `--output=${archive}`, '--end-of-options', subject);
  if (packed.code !== 0) throw failed(target, packed, 'reading the commit');
  return commit;
}

export async function fetchGit(target: GitTarget, context: FetchContext, into: string): Promise<Fetched> {
  await mkdir(into, { recursive: true });
  const archive = join(into, 'repository.tar');
  let commit = await takeKept(target, context, archive);
  if (commit === undefined) {
    if (context.isOffline && target.protocol !== 'file') {
      throw new HostError(`git repository ${withoutCredentials(target.url)}: it is not in the cache`, {
        hint: 'run once without --offline, or clone it yourself and give the folder',
      });
    }
    commit = await fetchArchive(target, context, into, archive);
    await keep(target, context, archive, commit);
  }
  return {
    name:
      target.url
        .replace(/\/+$/, '')
        .split(/[/:]/)
        .at(-1)
        ?.replace(/\.git$/, '') || 'repository',
    version: commit,
    integrity: `git-${commit}`,
    // The name of a commit is the hash of what is in it.
    isVerified: true,
    origin: withoutCredentials(target.url),
    archive,
  };
}
