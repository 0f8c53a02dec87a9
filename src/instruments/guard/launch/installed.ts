import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HostError, TargetError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import type { FileRule } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { StartedTarget } from '../../../targets/ingest/target/contract.ts';
import { describeTarget } from '../../../targets/ingest/target/parse.ts';
import { type Asked, type Wanted, wantedOf } from './asked.ts';
import type { LaunchChange, LaunchRecord, Prepared, PrepareOptions, Program, ServerRecord } from './contract.ts';
import type { Installed, InstallWish } from './install.ts';
import { findInterpreter } from './interpreter.ts';
import { sealOf } from './manifest.ts';
import { closedProblems, reachableTree, wayOf } from './open-way.ts';
import { chooseProgram } from './programs.ts';
import { fileMemory, readRecord, serverFiles, serversFolder } from './record.ts';
import { stateOf } from './source-state.ts';
import { readSources, withSources } from './sources.ts';
import { isUvRun, readUvRun } from './uv-run.ts';
import { verifyServer } from './verify.ts';

/** Servers that a package manager would fetch: resolved once, remembered, and started from the same bytes ever after. */

export interface InstalledWish {
  readonly asked: Asked;
  readonly starts: StartedTarget;
  readonly besides: readonly StartedTarget[];
  readonly argv: readonly string[];
}

export function subjectOf(target: StartedTarget): string {
  if (target.kind === 'npm' || target.kind === 'pypi') return `${target.kind}:${target.name}`;
  return target.kind === 'git' ? `git:${target.url}` : `folder:${describeTarget(target)}`;
}

const isPython = ({ asked, starts }: InstalledWish): boolean =>
  starts.kind === 'pypi' || ['uv', 'uvx', 'pipx'].includes(asked.launcher);

/** The server's own arguments do not count: another folder to serve is the same server. */
export function launchKey(wish: InstalledWish, sources: Readonly<Record<string, string>>): string {
  const names = [wish.starts, ...wish.besides].map(describeTarget);
  return sha256(JSON.stringify([names, Object.entries(sources).sort(), process.platform, process.arch]));
}

/** Fails when something was changed since the install. A tree that was copied elsewhere and back is looked at as a whole. */
async function checkTree(folder: string): Promise<void> {
  const root = join(folder, serverFiles.tree);
  const seal = await readFile(join(folder, serverFiles.seal), 'utf8').catch(() => '');
  if (seal === sealOf(root)) return;
  const { isIntact, changed, missing, added } = await verifyServer(folder);
  if (!isIntact) {
    const some = [...changed, ...added, ...missing].slice(0, 3).map((path) => forTerminal(untrusted(path, 200)));
    const counts = `${changed.length} changed, ${added.length} added, ${missing.length} missing`;
    throw new HostError(`the installed server was changed since it was installed (${counts}): ${some.join(', ')}`, {
      hint: 'find out who did that; hotcell run --update installs it again',
    });
  }
  // Only saves time; where it cannot be written, the next start takes longer.
  await writeFile(join(folder, serverFiles.seal), sealOf(root)).catch(() => undefined);
}

function sourceProblems({ source, date }: ServerRecord): readonly string[] {
  if (source === null || !existsSync(source.path) || stateOf(source.path) === source.state) return [];
  return [`${source.path} has changed since it was installed on ${date}; hotcell run --update takes the change over`];
}

/** Native parts fit one node. */
function nodeProblems({ builtWith }: ServerRecord, argv: readonly string[]): readonly string[] {
  const node = argv.find((word) => /\/node(js)?\d*$/.test(word));
  if (builtWith === null || node === undefined || node === builtWith) return [];
  return [`it was built with ${builtWith} and is started with ${node}; hotcell run --update builds it again`];
}

async function startOf(
  program: Program,
  root: string,
  { fetch }: PrepareOptions,
): Promise<{ readonly argv: readonly string[]; readonly files: readonly FileRule[] }> {
  const file = join(root, program.path);
  if (program.runner === 'itself') return { argv: [file], files: [] };
  const venvPython = join(root, 'venv/bin/python');
  if (program.runner === 'python' && existsSync(venvPython)) {
    return { argv: [venvPython, ...program.runnerArgs, file], files: [] };
  }
  if (program.runner === 'node' || program.runner === 'python') {
    const name = program.runner === 'node' ? 'node' : 'python3';
    const { path, files } = await findInterpreter(name, program.runner, fetch);
    return { argv: [path, ...program.runnerArgs, file], files };
  }
  const { path, files } = await findInterpreter(program.runner, 'node', fetch);
  return { argv: [path, ...program.runnerArgs, file], files };
}

/** `uv run main.py` in a project without an environment: its own files lie in the tree as they lay in the folder. */
function scriptOf(path: string, root: string): Program {
  const parts = path.split('/');
  const endings = parts.map((_, at) => parts.slice(at).join('/')).slice(1);
  const found = endings.find((each) => each !== '' && existsSync(join(root, each)));
  if (found === undefined) throw new TargetError(`${JSON.stringify(path)} was not installed`);
  return { name: basename(found), path: found, runner: 'python', runnerArgs: [], isOwn: true };
}

interface Start {
  readonly argv: readonly string[];
  readonly files: readonly FileRule[];
}

async function startWanted(
  wish: InstalledWish,
  record: ServerRecord,
  root: string,
  options: PrepareOptions,
): Promise<Start> {
  const { asked, starts } = wish;
  const packageName = starts.kind === 'npm' || starts.kind === 'pypi' ? starts.name : record.subject;
  const { programs, ecosystem, problems } = record;
  const choice = { programs, ecosystem, packageName, problems };
  const wanted = wantedIn(wish);
  const own = wanted.is === 'package' ? [] : wanted.args;
  if (wanted.is === 'module') {
    const { argv, files } = await startOf({ ...pythonModule, runnerArgs: ['-m', wanted.name] }, root, options);
    return { argv: [...argv.slice(0, -1), ...own], files };
  }
  const program = wanted.is === 'script' ? scriptOf(wanted.path, root) : chooseProgram(wanted, choice);
  const { argv, files } = await startOf(program, root, options);
  return { argv: [...argv, ...own, ...(isUvRun(asked) ? [] : asked.args)], files };
}

const pythonModule: Program = {
  name: 'python',
  path: 'venv/bin/python',
  runner: 'python',
  runnerArgs: [],
  isOwn: true,
};

type WantedHere =
  | Wanted
  | { readonly is: 'script'; readonly path: string; readonly args: readonly string[] }
  | { readonly is: 'module'; readonly name: string; readonly args: readonly string[] };

function wantedIn({ asked, starts }: InstalledWish): WantedHere {
  if (!isUvRun(asked)) return wantedOf(asked);
  const start = readUvRun(asked);
  return start.is === 'file'
    ? { is: 'script', path: starts.kind === 'file' ? starts.path : '', args: start.args }
    : start;
}

async function describe(
  wish: InstalledWish,
  { folder, record }: Pick<Installed, 'folder' | 'record'>,
  options: PrepareOptions,
): Promise<Pick<Prepared, 'argv' | 'cwd' | 'callerFolder' | 'files' | 'problems'>> {
  const way = wayOf(options.box);
  const root = await reachableTree(folder, way);
  const { argv, files } = await startWanted(wish, record, root, options);
  const own: FileRule = { path: root, access: 'execute', why: `${record.subject} as it was installed` };
  return {
    argv: [...wish.asked.variables, ...argv],
    cwd: root,
    callerFolder: options.fetch.cwd,
    files: [own, ...files],
    problems: [
      ...record.problems,
      ...sourceProblems(record),
      ...nodeProblems(record, argv.slice(0, 1)),
      ...(await closedProblems([own, ...files], way)),
    ],
  };
}

function changeOf(before: LaunchRecord | null, { version, integrity }: ServerRecord): LaunchChange | null {
  if (before === null || before.integrity === integrity) return null;
  return { from: { version: before.version, integrity: before.integrity }, to: { version, integrity } };
}

/** What was pinned, as it lies there; null where it is not installed any more. */
async function findInstalled(pinned: LaunchRecord, servers: string): Promise<Installed | null> {
  const folder = join(servers, pinned.digest);
  if (!existsSync(folder)) return null;
  const record = await readRecord(folder);
  if (record.integrity !== pinned.integrity) {
    throw new HostError(`${JSON.stringify(folder)} holds another server than the one that was pinned`, {
      hint: 'hotcell run --update installs it again',
    });
  }
  await checkTree(folder);
  return { digest: pinned.digest, folder, record };
}

/** Loaded when it is needed: all the rest is on the way of a client that waits for its server. */
async function install(wish: InstallWish, options: PrepareOptions): Promise<Installed> {
  const { installServer } = await import('./install.ts');
  return installServer(wish, options);
}

export async function prepareInstalled(wish: InstalledWish, options: PrepareOptions): Promise<Prepared> {
  const { asked, starts, besides, argv } = wish;
  // Nothing is fetched for a command that cannot be understood.
  wantedIn(wish);
  const before = asked.words.slice(1, asked.words.length - asked.args.length);
  const sources = readSources(before, isPython(wish) ? 'pypi' : 'npm');
  const key = launchKey(wish, sources.environment);
  const memory = options.memory ?? fileMemory(join(options.home, 'guard/launches'));
  const refresh = options.refresh === true;
  const pinned = await memory.read(key).catch((error: unknown) => {
    if (refresh) return null;
    throw error;
  });
  const kept = pinned === null || refresh ? null : await findInstalled(pinned, serversFolder(options.home));
  const fetch = withSources(options.fetch, sources);
  const wished = { subject: subjectOf(starts), starts, besides, launch: argv };
  let installed = kept ?? (await install(wished, { ...options, fetch }));
  if (kept === null) {
    const { digest, record } = installed;
    const { subject, version, integrity, date } = record;
    if (pinned !== null && !refresh && pinned.digest !== digest) {
      const shown = (text: string | null): string => forTerminal(untrusted(text ?? 'no version', 100));
      throw new TargetError(
        `${subject}: ${shown(pinned.version)} was pinned and is not here any more; what is fetched now is ${shown(version)} with another hash`,
        { hint: 'hotcell run --update takes it over' },
      );
    }
    // Before it is remembered it must be startable.
    await describe(wish, installed, options);
    const names = [starts, ...besides].map(describeTarget);
    const launch: LaunchRecord = { format: 'hotcell-launch', asked: names, subject, version, integrity, digest, date };
    const winner = await memory.write(key, launch, refresh);
    if (winner.digest !== digest) installed = (await findInstalled(winner, serversFolder(options.home))) ?? installed;
  }
  const start = await describe(wish, installed, options);
  return {
    subject: installed.record.subject,
    version: installed.record.version,
    integrity: installed.record.integrity,
    ...start,
    problems: [...sources.problems, ...start.problems],
    folder: installed.folder,
    isFresh: kept === null,
    change: refresh ? changeOf(pinned, installed.record) : null,
  };
}
