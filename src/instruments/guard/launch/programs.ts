import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { TargetError, UsageError } from '../../../base/errors.ts';
import { asObject, type JsonObject } from '../../../base/json-shape.ts';
import { mebibyte } from '../../../base/limits.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { normalisePypiName } from '../../../targets/ingest/target/pypi-spec.ts';
import { programsOf } from '../../../targets/install/npm-programs.ts';
import type { Wanted } from './asked.ts';
import type { Program, Runner } from './contract.ts';
import { readShebang } from './interpreter.ts';

/** Programs of an installed server, and which of them a launcher would start. */

export function readPackageManifest(path: string): JsonObject | null {
  try {
    if (statSync(path).size > mebibyte) return null;
    return asObject(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function runnerOf(path: string): Pick<Program, 'runner' | 'runnerArgs'> {
  const shebang = readShebang(path);
  const name = shebang?.name ?? '';
  const found: Runner | null = /^node(js)?\d*$/.test(name)
    ? 'node'
    : /^python[\d.]*$/.test(name)
      ? 'python'
      : name === 'bun' || name === 'deno'
        ? name
        : null;
  if (found !== null) return { runner: found, runnerArgs: shebang?.args ?? [] };
  const isScript = shebang === null && ['.js', '.mjs', '.cjs', ''].includes(extname(path)) && !isBinary(path);
  return { runner: isScript ? 'node' : 'itself', runnerArgs: [] };
}

function isBinary(path: string): boolean {
  try {
    const head = readFileSync(path).subarray(0, 4);
    return head.toString('latin1') === '\x7fELF';
  } catch {
    return false;
  }
}

/** `folders` are those of the packages that were asked for, below `root`. */
export function npmPrograms(root: string, folders: readonly string[]): readonly Program[] {
  return folders.flatMap((folder) => {
    const manifest = readPackageManifest(join(root, folder, 'package.json'));
    return [...programsOf(manifest ?? {})].flatMap(([name, inside]): Program[] => {
      const path = [inside, `${inside}.js`, `${inside}/index.js`].find((each) => isFile(join(root, folder, each)));
      if (path === undefined) return [];
      return [{ name, path: `${folder}/${path}`, ...runnerOf(join(root, folder, path)), isOwn: true }];
    });
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const notScripts = /^(?:python|pip|activate|Activate|wheel$|easy_install)/;

/** `bin` is the folder of a virtual environment, `own` the names that belong to what was asked for. */
export function pythonPrograms(root: string, bin: string, own: ReadonlySet<string>): readonly Program[] {
  let names: readonly string[];
  try {
    names = readdirSync(join(root, bin));
  } catch {
    return [];
  }
  return names
    .filter((name) => !notScripts.test(name) && isFile(join(root, bin, name)))
    .map((name) => {
      const path = `${bin}/${name}`;
      const head = readHead(join(root, path));
      const isPython = /python/.test(head);
      return { name, path, runner: isPython ? 'python' : 'itself', runnerArgs: [], isOwn: own.has(name) };
    });
}

/** A shell line that starts the Python beside it, or Python itself. */
function readHead(path: string): string {
  const text = readFileSync(path).subarray(0, 200).toString('latin1');
  return text.startsWith('#!') ? text.split('\n').slice(0, 2).join('\n') : '';
}

const shown = (name: string): string => forTerminal(untrusted(name, 100));

function listed(programs: readonly Program[]): string {
  const names = [...new Set(programs.map(({ name }) => shown(name)))];
  return `${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`;
}

/** As npx does: the only one, several names for the same, or the one that is called as the package is. */
function knownFor(own: readonly Program[], packageName: string): Program | undefined {
  const [first] = own;
  if (new Set(own.map(({ path }) => path)).size === 1) return first;
  const plain = packageName.split('/').at(-1);
  return own.find(({ name }) => name === plain);
}

export interface Choice {
  readonly programs: readonly Program[];
  readonly ecosystem: 'npm' | 'pypi' | 'none';
  /** Of the package that was asked for first. */
  readonly packageName: string;
  /** Of its installation, in words. */
  readonly problems: readonly string[];
}

export function chooseProgram(wanted: Wanted, { programs, ecosystem, packageName, problems }: Choice): Program {
  const own = programs.filter(({ isOwn }) => isOwn);
  const name = wanted.is === 'program' ? wanted.name : packageName;
  const way = ecosystem === 'pypi' ? `uvx --from ${packageName}` : `npx -p ${packageName}`;
  if (programs.length === 0 || (own.length === 0 && wanted.is === 'package')) {
    const [problem] = problems;
    throw new TargetError(`${shown(packageName)} has no program that could be started`, {
      hint:
        problem === undefined
          ? 'it may be a library; look in its documentation for the package of the server'
          : `its installation had a problem: ${problem}; hotcell run --update tries again`,
    });
  }
  const isSame = (program: Program): boolean => normalisePypiName(program.name) === normalisePypiName(name);
  const byName =
    own.find((program) => program.name === name) ??
    programs.find((program) => program.name === name) ??
    (ecosystem === 'pypi' ? (own.find(isSame) ?? programs.find(isSame)) : undefined);
  const found = wanted.is === 'package' && ecosystem !== 'pypi' ? knownFor(own, packageName) : byName;
  if (found !== undefined) return found;
  if (wanted.is === 'package') {
    throw new UsageError(`${shown(packageName)} has several programs or one of another name: ${listed(own)}`, {
      hint: `say which one: ${way} PROGRAM`,
    });
  }
  throw new UsageError(
    `${shown(packageName)} has no program ${JSON.stringify(shown(name))}, but: ${listed(programs)}`,
    {
      hint: `${way} PROGRAM`,
    },
  );
}
