import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isKnownError, TargetError } from '../../../base/errors.ts';
import { sha256 } from '../../../base/fingerprint.ts';
import { minuteMs } from '../../../base/limits.ts';
import type { StartedTarget } from '../../../targets/ingest/target/contract.ts';
import { describeTarget } from '../../../targets/ingest/target/parse.ts';
import { appFolder, defaultInstallLimits, type InstallPlan } from '../../../targets/install/index.ts';
import { defaultLaunchLimits, type PrepareOptions, type ServerRecord } from './contract.ts';
import { archivesOf, digestOf, platform, programsOf, venvBin, versionOf } from './facts.ts';
import { type Gathered, gather } from './gather.ts';
import { asIntegrity } from './hash.ts';
import { findInterpreter, type Interpreter } from './interpreter.ts';
import { formatManifest, readTree, sealOf } from './manifest.ts';
import { readRecord, serverFiles, serversFolder } from './record.ts';
import { runScripts, type ScriptRun } from './scripts.ts';
import { stateOf } from './source-state.ts';
import { verifyServer } from './verify.ts';
import { explainWrite, TreeWriter } from './write-tree.ts';

/** Installs a server into a folder of its own, which is there as a whole or not at all. */

export interface InstallWish {
  readonly subject: string;
  readonly starts: StartedTarget;
  readonly besides: readonly StartedTarget[];
  readonly launch: readonly string[];
}

export interface Installed {
  readonly digest: string;
  readonly folder: string;
  readonly record: ServerRecord;
}

const pythonOfSystem = '/usr/bin/python3';
const staleMs = 6 * 60 * minuteMs;
const makingPrefix = '.making-';
const workPrefix = 'launch-';

/** What a process left behind that was ended in the middle. */
async function removeStale(folder: string, prefix: string): Promise<void> {
  const old = readdirSync(folder).filter((name) => {
    const stat = name.startsWith(prefix) ? statSync(join(folder, name), { throwIfNoEntry: false }) : undefined;
    return stat !== undefined && Date.now() - stat.mtimeMs > staleMs;
  });
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true });
}

async function layOut({ sources }: InstallPlan, writer: TreeWriter): Promise<void> {
  const limits = defaultInstallLimits;
  let bytes = 0;
  for (const source of sources) {
    for (const file of await source.read()) {
      bytes += file.bytes.length;
      if (writer.files.size >= limits.mostFiles || bytes > limits.mostBytes) {
        throw new TargetError(`more than ${limits.mostFiles} files or ${limits.mostBytes} bytes: too large to install`);
      }
      if (!file.path.startsWith(`${appFolder}/`)) writer.problems.push('a file outside of the package was left out');
      else writer.file(file.path.slice(appFolder.length + 1), file.bytes, file.mode);
    }
  }
}

/** Whether the publisher has code that an install runs; the links to Python are ours, and made without a box. */
function hasScripts({ steps, ecosystem }: InstallPlan): boolean {
  return ecosystem === 'pypi' ? steps.length > 1 : steps.length > 0;
}

async function nodeFor({ ecosystem }: InstallPlan, { fetch }: PrepareOptions): Promise<Interpreter | null> {
  return ecosystem === 'npm' ? findInterpreter('node', 'node', fetch) : null;
}

/** The folder that is there already, when it holds what it should. */
async function existing(folder: string): Promise<ServerRecord | null> {
  if (!existsSync(folder)) return null;
  try {
    return (await verifyServer(folder)).isIntact ? await readRecord(folder) : null;
  } catch {
    return null;
  }
}

/** Puts the finished folder in its place. Somebody else may have been there first, with the same bytes. */
async function settle(making: string, folder: string, record: ServerRecord, replaces: boolean): Promise<ServerRecord> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      renameSync(making, folder);
      return record;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    }
    const found = replaces ? null : await existing(folder);
    if (found !== null) return found;
    const aside = `${making}-replaced-${attempt}`;
    renameSync(folder, aside);
    await rm(aside, { recursive: true, force: true });
  }
  throw new TargetError(`${folder} is changed by somebody else all the time`);
}

async function make(
  gathered: Gathered,
  wish: InstallWish,
  options: PrepareOptions,
  making: string,
  servers: string,
): Promise<Installed> {
  const { plan, ingested } = gathered;
  const root = join(making, serverFiles.tree);
  mkdirSync(root, { recursive: true, mode: 0o755 });
  // Whatever the caller's umask is: the user of a box is another one.
  chmodSync(root, 0o755);
  const writer = new TreeWriter(root);
  await layOut(plan, writer);
  const version = versionOf(gathered, wish, writer, root);
  const archives = archivesOf(gathered, writer);
  const digest = digestOf(wish, version, archives, writer);
  const folder = join(servers, digest);
  const known = await existing(folder);
  const node = hasScripts(plan) ? await nodeFor(plan, options) : null;
  const isDated = (each: ServerRecord): boolean =>
    hasScripts(plan) && (each.problems.length > 0 || each.builtWith !== (node?.path ?? null));
  // Scripts that have failed, or built for another node, run again only where somebody asks: the folder may be in use.
  const replaces = options.refresh === true && known !== null && isDated(known);
  if (known !== null && !replaces) return { digest, folder, record: known };
  options.signal?.throwIfAborted();
  let run: ScriptRun = { ran: [], problems: [] };
  if (hasScripts(plan)) {
    options.onProgress?.(`running ${plan.steps.length} install scripts in a box`);
    const limits = { ...defaultLaunchLimits, ...options.limits };
    const final = join(folder, serverFiles.tree);
    run = await runScripts(plan, { writer, final, folder: join(making, 'run'), node, limits }, options);
    await rm(join(making, 'run'), { recursive: true, force: true });
  }
  if (writer.files.has('venv/pyvenv.cfg')) {
    if (!existsSync(pythonOfSystem))
      throw new TargetError(`a Python server needs ${pythonOfSystem}, which is not here`);
    writer.systemLink(`${venvBin}/python`, pythonOfSystem);
    writer.systemLink(`${venvBin}/python3`, 'python');
  }
  const manifest = formatManifest(await readTree(root));
  const unverified = ingested.resolved.isVerified === false ? ['the source tells no hash for the package'] : [];
  const incomplete = ingested.isComplete ? [] : ['the archive of the package could not be read to its end'];
  const { starts, besides } = wish;
  const record: ServerRecord = {
    format: 'hotcell-server',
    subject: wish.subject,
    version,
    integrity: asIntegrity(digest),
    launch: wish.launch,
    asked: [starts, ...besides].map(describeTarget),
    date: new Date().toISOString(),
    platform,
    ecosystem: plan.ecosystem,
    archives,
    programs: programsOf(gathered, wish, root),
    source: starts.kind === 'folder' ? { path: starts.path, state: stateOf(starts.path) } : null,
    scripts: run.ran,
    builtWith: node?.path ?? null,
    problems: [...new Set([...plan.problems, ...writer.problems, ...unverified, ...incomplete, ...run.problems])],
    manifest: sha256(manifest),
  };
  const flush = { mode: 0o644, flush: true };
  await writeFile(join(making, serverFiles.manifest), manifest, flush);
  await writeFile(join(making, serverFiles.record), `${JSON.stringify(record, null, 2)}\n`, flush);
  await writeFile(join(making, serverFiles.seal), sealOf(root), flush);
  await chmod(making, 0o755);
  return { digest, folder, record: await settle(making, folder, record, replaces) };
}

export async function installServer(wish: InstallWish, options: PrepareOptions): Promise<Installed> {
  const { home, fetch, onProgress, signal } = options;
  const servers = serversFolder(home);
  await mkdir(servers, { recursive: true, mode: 0o755 });
  await mkdir(join(home, 'work'), { recursive: true, mode: 0o700 });
  await removeStale(servers, makingPrefix);
  await removeStale(join(home, 'work'), workPrefix);
  const work = await mkdtemp(join(home, 'work', workPrefix));
  const making = await mkdtemp(join(servers, makingPrefix));
  try {
    onProgress?.(`fetching ${[wish.starts, ...wish.besides].map(describeTarget).join(', ')}`);
    const gathered = await gather(wish.starts, wish.besides, fetch, work);
    try {
      signal?.throwIfAborted();
      onProgress?.(`installing it with ${gathered.plan.packages} packages besides`);
      return await make(gathered, wish, options, making, servers);
    } finally {
      await gathered.close();
    }
  } catch (error) {
    if (isKnownError(error) || signal?.aborted === true) throw error;
    throw (error as NodeJS.ErrnoException).code === undefined ? error : explainWrite(error, servers);
  } finally {
    await rm(making, { recursive: true, force: true });
    await rm(work, { recursive: true, force: true });
  }
}
