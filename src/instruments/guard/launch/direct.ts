import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { asString } from '../../../base/json-shape.ts';
import { mebibyte } from '../../../base/limits.ts';
import type { FileRule } from '../../../base/policy-schema.ts';
import type { StartedTarget } from '../../../targets/ingest/target/contract.ts';
import { type Asked, launcherName } from './asked.ts';
import { defaultLaunchLimits, type Prepared, type PrepareOptions } from './contract.ts';
import { asIntegrity } from './hash.ts';
import { findInterpreter, isOfSystem, type Language, needProgram, readShebang } from './interpreter.ts';
import { closedProblems, wayOf } from './open-way.ts';
import { findLockFile, findOwnFolder, isWithin, type OwnFolder } from './own-folder.ts';
import { readPackageManifest } from './programs.ts';

/** Servers that are started from where they lie: `node server.js`, `python -m x`, a binary, a shell line. */

interface Started {
  readonly argv: readonly string[];
  readonly files: readonly FileRule[];
  /** The file of the program itself, where that is not an interpreter. */
  readonly program: string | null;
}

const languages: Readonly<Record<string, Language>> = { node: 'node', bun: 'node', python: 'python', pypy: 'python' };
const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);

const rule = (path: string, why: string): FileRule => ({ path, access: 'execute', why });

function languageOf(name: string): Language | null {
  return languages[launcherName(name)] ?? null;
}

/** The first word as something that a box can start, whatever PATH is there. */
async function startProgram(word: string, { fetch }: PrepareOptions): Promise<Started> {
  const language = languageOf(word);
  if (language !== null && launcherName(word) !== 'bun') {
    const { path, files } = await findInterpreter(word, language, fetch);
    return { argv: [path], files, program: null };
  }
  const found = needProgram(word, fetch);
  const real = realpathSync(found);
  const shebang = readShebang(real);
  const scripted = shebang === null ? null : languageOf(shebang.name);
  if (shebang !== null && scripted !== null) {
    // A console script of a virtual environment names its own Python; others are looked for as a shell would.
    const own = join(dirname(found), 'python');
    const name = scripted === 'python' && existsSync(join(dirname(found), '../pyvenv.cfg')) ? own : shebang.name;
    const { path, files } = await findInterpreter(name, scripted, fetch);
    const script = scripted === 'python' ? found : real;
    return { argv: [path, ...shebang.args, script], files, program: real };
  }
  const files = isOfSystem(real) ? [] : [rule(real, 'the program itself')];
  return {
    argv: [found],
    files: found === real || isOfSystem(found) ? files : [...files, rule(found, 'its name')],
    program: real,
  };
}

/** Words that are the path of what is started, as they stand in the command. */
function withFullPath(words: readonly string[], entry: string, cwd: string, home: string): readonly string[] {
  const at = words.findIndex((word) => resolve(cwd, word.replace(/^~(?=\/)/, home)) === entry);
  return at === -1 ? words : words.with(at, entry);
}

async function hashFile(path: string, mostBytes: number): Promise<string | null> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) > mostBytes) return null;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function integrityOf(entry: string | null, own: OwnFolder, mostBytes: number): Promise<string | null> {
  const lock = own.folder === null ? null : findLockFile(own.folder);
  const paths = [entry, lock].filter((path) => path !== null);
  const hashes = await Promise.all(paths.map((path) => hashFile(path, mostBytes)));
  if (paths.length === 0 || hashes.includes(null)) return null;
  return asIntegrity(createHash('sha256').update(hashes.join('\n')).digest('hex'));
}

function versionIn(folder: string): string | null {
  const manifest = readPackageManifest(join(folder, 'package.json'));
  if (manifest !== null) return asString(manifest.version) ?? null;
  const project = join(folder, 'pyproject.toml');
  if ((statSync(project, { throwIfNoEntry: false })?.size ?? mebibyte) >= mebibyte) return null;
  const [, after = ''] = readFileSync(project, 'utf8').split(/^\[project\]\s*$/m);
  const [section = ''] = after.split(/^\[/m);
  return /^version\s*=\s*["']([^"'\n]{1,100})["']/m.exec(section)?.[1] ?? null;
}

function pathOf(target: StartedTarget | undefined): { readonly path: string; readonly isFolder: boolean } | null {
  if (target === undefined || (target.kind !== 'file' && target.kind !== 'folder')) return null;
  return { path: realpathSync(target.path), isFolder: target.kind === 'folder' };
}

/** Where modules of the interpreter are that are not in its own folder. */
function userPackages({ home }: PrepareOptions['fetch'], isPython: boolean): readonly FileRule[] {
  const folder = join(home, '.local/lib');
  if (!isPython || !existsSync(folder)) return [];
  return ['3.9', '3.10', '3.11', '3.12', '3.13', '3.14']
    .map((version) => join(folder, `python${version}/site-packages`))
    .filter((path) => existsSync(path))
    .map((path) => rule(path, 'Python packages that the user has installed'));
}

function denoCache({ home, environment }: PrepareOptions['fetch'], launcher: string): readonly FileRule[] {
  const path = environment.DENO_DIR ?? join(environment.XDG_CACHE_HOME ?? join(home, '.cache'), 'deno');
  return launcher === 'deno' && existsSync(path) ? [rule(path, 'modules that deno has fetched')] : [];
}

function shownProblems({ target, launcher, words }: Asked): readonly string[] {
  if (target !== null) return [];
  if (shells.has(launcher)) {
    return ['a shell line is started as it is: what it will start is not known, and nothing of it is pinned'];
  }
  if (launcher === 'python' && words.includes('-m'))
    return ['a module of the interpreter is started: it is not pinned'];
  return ['code in the command itself is started as it is: nothing of it is pinned'];
}

/** Rules for what the system gives anyway are left out, and each path is named once. */
function tidy(files: readonly FileRule[]): readonly FileRule[] {
  const needed = files.filter(({ path }) => !isOfSystem(path));
  return needed.filter(
    ({ path }, at) =>
      !needed.some((other, index) => index !== at && isWithin(path, other.path) && (path !== other.path || index < at)),
  );
}

/** A module is looked for in the folder that Python is started in; it stays there. */
function isModuleHere({ target, launcher, words }: Asked): boolean {
  return target !== null && languageOf(launcher) === 'python' && words[1] === '-m';
}

const nobody: OwnFolder = { folder: null, isPackage: false, besides: [] };

function findOwn(asked: Asked, around: string | null, isFolder: boolean, cwd: string, home: string): OwnFolder {
  if (around === null || isOfSystem(around)) return nobody;
  return isModuleHere(asked) ? findOwnFolder(cwd, home, true) : findOwnFolder(around, home, isFolder);
}

/** What pins and policies go by: two scripts beside each other are two servers. */
function subjectOf({ target, launcher, words }: Asked, own: OwnFolder, around: string | null): string {
  if (own.folder !== null && own.isPackage) return `folder:${own.folder}`;
  const name = basename(words[0] ?? '');
  if (around !== null && !(target === null && isOfSystem(around))) return `command:${around}`;
  const module = languageOf(launcher) === 'python' ? words.indexOf('-m') : -1;
  return module === -1 ? `command:${name}` : `command:${name} -m ${words[module + 1] ?? ''}`;
}

function hashedFile(entry: ReturnType<typeof pathOf>, program: string | null): string | null {
  if (entry === null) return program;
  if (!entry.isFolder) return entry.path;
  const main = join(entry.path, '__main__.py');
  return program ?? (existsSync(main) ? main : null);
}

export async function prepareDirect(asked: Asked, options: PrepareOptions): Promise<Prepared> {
  const { fetch, box } = options;
  const { words, launcher, target } = asked;
  const limits = { ...defaultLaunchLimits, ...options.limits };
  const started = await startProgram(words[0] ?? '', options);
  const entry = pathOf(target?.starts);
  const home = existsSync(fetch.home) ? realpathSync(fetch.home) : fetch.home;
  const cwd = realpathSync(fetch.cwd);
  const around = entry?.path ?? started.program;
  const own = findOwn(asked, around, entry?.isFolder === true, cwd, home);
  const besides = (target?.besides ?? []).map(pathOf).filter((each) => each !== null);
  const why = 'the server itself';
  const files = tidy([
    ...(own.folder !== null ? [rule(own.folder, why)] : around === null ? [] : [rule(around, why)]),
    ...[...own.besides, ...besides.map(({ path }) => path)].map((path) => rule(path, 'what it loads besides')),
    ...started.files,
    ...userPackages(fetch, target === null && languageOf(launcher) === 'python'),
    ...denoCache(fetch, launcher),
  ]);
  const isKept = target === null || isModuleHere(asked);
  const rest = words.slice(1);
  const isHere = isModuleHere(asked) || own.folder === null || isWithin(cwd, own.folder);
  return {
    subject: subjectOf(asked, own, around),
    version: own.folder !== null && own.isPackage ? versionIn(own.folder) : null,
    integrity: await integrityOf(hashedFile(entry, started.program), own, limits.mostEntryBytes),
    argv: [
      ...asked.variables,
      ...started.argv,
      ...(isKept ? rest : withFullPath(rest, pathText(target.starts), cwd, fetch.home)),
    ],
    cwd: !isHere && own.folder !== null ? own.folder : own.folder === null && !isModuleHere(asked) ? '/' : cwd,
    callerFolder: cwd,
    files: [...files],
    problems: [...shownProblems(asked), ...(await closedProblems(files, wayOf(box)))],
    folder: null,
    isFresh: false,
    change: null,
  };
}

function pathText(target: StartedTarget): string {
  return target.kind === 'file' || target.kind === 'folder' ? target.path : '';
}
