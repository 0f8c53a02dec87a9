import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { FileRule } from '../../../base/policy-schema.ts';
import { runTool } from '../../../base/process.ts';
import { readRegularFileSync } from '../../../base/regular-file.ts';
import { isGivable, isWithin } from './own-folder.ts';

/** Programs of this machine, found as the caller's shell would find them, and what of the disk they need to run. */

export interface Surroundings {
  readonly cwd: string;
  /** The caller's home folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What every tier gives to every box. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32', '/libx32'];

export const isOfSystem = (path: string): boolean => systemFolders.some((folder) => isWithin(path, folder));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path of a program; null where there is none. Folders of PATH that are not absolute do not count. */
export function findProgram(name: string, { cwd, home, environment }: Surroundings): string | null {
  if (name === '' || name.includes('\0')) return null;
  if (name.startsWith('~/')) return isProgram(join(home, name.slice(2))) ? join(home, name.slice(2)) : null;
  if (name.includes('/')) return isProgram(resolve(cwd, name)) ? resolve(cwd, name) : null;
  const folders = (environment.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

export function needProgram(name: string, around: Surroundings): string {
  const found = findProgram(name, around);
  if (found !== null) return found;
  throw new UsageError(`there is no program ${JSON.stringify(name)} on this machine`, {
    hint: name.includes('/') ? 'check the path' : 'install it, or give its path; PATH says where it is looked for',
  });
}

export interface Shebang {
  /** The last part of the interpreter's name: `node`, `python3`, `sh`. */
  readonly name: string;
  readonly args: readonly string[];
}

const firstLineBytes = 256;

/** The first line of a script; null where there is none, or nothing can be read. */
export function readShebang(path: string): Shebang | null {
  try {
    const { bytes } = readRegularFileSync(path, { mostBytes: firstLineBytes, links: 'followed' });
    return parseShebang(bytes.toString('latin1'));
  } catch {
    return null;
  }
}

/** `#!/usr/bin/env -S node --flag` and `#!/usr/bin/node --flag` are the same to us. */
export function parseShebang(text: string): Shebang | null {
  const line = /^#!\s*([^\r\n\0]*)/.exec(text)?.[1];
  const [program = '', ...words] = (line ?? '').trim().split(/\s+/);
  if (program === '') return null;
  if (basename(program) !== 'env') return { name: basename(program), args: words };
  const rest = words.filter((word) => word !== '-S' && word !== '--split-string' && !/^[A-Za-z_]\w*=/.test(word));
  const [name, ...args] = rest;
  return name === undefined || name.startsWith('-') ? null : { name: basename(name), args };
}

export type Language = 'node' | 'python';

const questions: Record<Language, readonly string[]> = {
  node: ['-p', 'process.execPath'],
  // `-I` keeps files of a working folder and variables out of it.
  python: ['-I', '-c', 'import sys; print(getattr(sys, "_base_executable", None) or sys.executable)'],
};

/** A version manager puts scripts, or one program under many names, where an interpreter is looked for. */
function isStandIn(path: string, language: Language): boolean {
  const name = basename(path);
  return (
    readShebang(path) !== null || !(language === 'node' ? /^node(js)?\d*$/ : /^(python|pypy)[\d.]*[a-z]?$/).test(name)
  );
}

async function askStandIn(path: string, language: Language, { home, environment }: Surroundings): Promise<string> {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    /^(PATH|PYENV_ROOT|PYENV_VERSION|ASDF_\w+|MISE_\w+|VOLTA_HOME|NODENV_\w+|XDG_\w+)$/.test(name) &&
    value !== undefined
      ? [[name, value] as const]
      : [],
  );
  const options = { cwd: '/', timeoutMs: 10_000, environment: { HOME: home, ...Object.fromEntries(passed) } };
  try {
    const { stdout } = await runTool(path, questions[language], options);
    const told = stdout.toString('utf8').trim();
    if (told.startsWith('/') && isProgram(told)) return realpathSync(told);
  } catch {
    // Told below.
  }
  throw new UsageError(`${JSON.stringify(path)} does not say which ${language} it stands for`, {
    hint: `put the folder of the real ${language} first in PATH`,
  });
}

export interface Interpreter {
  /** What is started: of a virtual environment the link in it, else the real file. */
  readonly path: string;
  readonly files: readonly FileRule[];
}

function rule(path: string, why: string): FileRule {
  return { path, access: 'execute', why };
}

/** `~/.nvm/versions/node/v22.1.0` of its `bin/node`; null where the folder is not the interpreter's alone. */
function prefixOf(real: string, home: string): string | null {
  const prefix = basename(dirname(real)) === 'bin' ? dirname(dirname(real)) : null;
  return prefix !== null && isGivable(prefix, home) ? prefix : null;
}

function libraryFolders(real: string): readonly string[] {
  const library = join(dirname(dirname(real)), 'lib');
  try {
    return readdirSync(library).flatMap((name) =>
      /^python3\.\d+$|^libpython3[\d.]*\.so[\d.]*$/.test(name) ? [join(library, name)] : [],
    );
  } catch {
    return [];
  }
}

function filesOf(real: string, language: Language, home: string): readonly FileRule[] {
  if (isOfSystem(real)) return [];
  const why = `the ${language} that it is started with`;
  const prefix = prefixOf(real, home);
  if (prefix !== null) return [rule(prefix, why)];
  return [rule(real, why), ...(language === 'python' ? libraryFolders(real).map((path) => rule(path, why)) : [])];
}

/** The folder of a virtual environment, when the program is in one. */
export function environmentOf(path: string): string | null {
  const folder = dirname(dirname(path));
  return existsSync(join(folder, 'pyvenv.cfg')) ? folder : null;
}

export async function findInterpreter(name: string, language: Language, around: Surroundings): Promise<Interpreter> {
  const found = needProgram(name, around);
  const real = realpathSync(found);
  const venv = language === 'python' ? environmentOf(found) : null;
  if (venv !== null) {
    const own = isGivable(venv, around.home) && !isOfSystem(venv) ? [rule(venv, 'its virtual environment')] : [];
    return { path: found, files: [...own, ...filesOf(real, language, around.home)] };
  }
  // What is given by its path, or lies where the server does, is no version manager of the user's.
  const isTrusted = !name.includes('/') && !isWithin(found, around.cwd);
  const path = isTrusted && isStandIn(real, language) ? await askStandIn(found, language, around) : real;
  return { path, files: filesOf(path, language, around.home) };
}
