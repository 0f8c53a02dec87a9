import { basename, posix } from 'node:path';
import { asString } from '../../../../base/json-shape.ts';
import { programsOf } from '../../../../targets/install/npm-programs.ts';
import { readCode } from './code-needs.ts';
import type { LaunchFacts } from './contract.ts';
import { readOwnJson, readOwnText } from './own-files.ts';

/** Which of the files of a target is its server. */

export interface Program {
  /** What people call it by: the name of a bin or console script, or of its file. */
  readonly name: string;
  /** In the box. */
  readonly path: string;
  /** Below the target's folder; absent for a script that an installer wrote. */
  readonly file?: string;
  readonly python: string | null;
  /** Neither of JavaScript nor of Python: the kernel knows how to run it. */
  readonly isNative?: boolean;
  /** Larger is likelier to be the server. */
  readonly rank: number;
}

const unlikely =
  /(?:^|[-_])(?:setup|install|uninstall|init|client|test|debug|migrate|config|configure|login|auth|postinstall|track|remove|demo|bench)(?:$|[-_])/i;
const usualFiles = [
  'dist/index.js',
  'build/index.js',
  'index.js',
  'server.js',
  'dist/server.js',
  'src/index.js',
  'index.mjs',
  'server.mjs',
  'main.js',
  'server.py',
  'main.py',
  'src/server.py',
  'src/main.py',
  '__main__.py',
];

export function pythonOf({ installed }: Pick<LaunchFacts, 'installed'>): string | null {
  return installed.programs.find((path) => path.endsWith('/bin/python')) ?? null;
}

function rankOf(name: string, text: string, facts: LaunchFacts): number {
  const own = facts.name.split('/').at(-1) ?? '';
  const plain = (word: string): string => word.toLowerCase().replace(/[-_.]+/g, '-');
  const { speaksStdio } = readCode(text.slice(0, 400_000));
  return (
    (plain(name) === plain(own) ? 5 : 0) +
    (/mcp/i.test(name) ? 2 : 0) +
    (/server|stdio/i.test(name) ? 1 : 0) +
    (speaksStdio ? 4 : 0) -
    (unlikely.test(name) ? 6 : 0)
  );
}

function fromFile(name: string, file: string, facts: LaunchFacts): Program {
  const text = readOwnText(facts.folder, file) ?? '';
  const path = posix.join(facts.installed.folder, file);
  const isPython = file.endsWith('.py') || /^#![^\n]*python/.test(text);
  const python = isPython ? (pythonOf(facts) ?? 'python3') : null;
  const isNative = !isPython && !/\.(?:[cm]?js|ts)$/.test(file) && /^(?:\x7fELF|#!(?![^\n]*\bnode))/.test(text);
  return { name, path, file, python, rank: rankOf(name, text, facts), ...(isNative ? { isNative } : {}) };
}

function consoleScripts(facts: LaunchFacts): readonly Program[] {
  const python = pythonOf(facts);
  if (python === null) return [];
  return facts.installed.programs
    .filter((path) => path !== python)
    .map((path) => ({ name: basename(path), path, python, rank: rankOf(basename(path), '', facts) }));
}

/** A module that can be run with `-m`, where a Python package brings no script. */
function modules(facts: LaunchFacts): readonly Program[] {
  const python = pythonOf(facts);
  const module = facts.name.replace(/[-.]+/g, '_');
  if (python === null || readOwnText(facts.folder, `${module}/__main__.py`, 1) === null) return [];
  return [{ name: module, path: '-m', file: `${module}/__main__.py`, python, rank: 0 }];
}

/** The likeliest first. What the target names comes before what is usual. */
export function findPrograms(facts: LaunchFacts): readonly Program[] {
  const { folder, entry } = facts;
  if (entry !== undefined) return [fromFile(basename(entry), entry, facts)];
  const manifest = readOwnJson(folder, 'package.json');
  const bins =
    facts.ecosystem === 'pypi' ? [] : [...programsOf(manifest)].map(([name, file]) => fromFile(name, file, facts));
  const named = [...bins, ...consoleScripts(facts)].sort((left, right) => right.rank - left.rank);
  const main = asString(manifest.main)?.replace(/^\.\//, '');
  const mains = main === undefined ? [] : [main, `${main}.js`, `${main}/index.js`];
  const others = [...mains, ...usualFiles]
    .filter((file) => readOwnText(folder, file, 1) !== null)
    .map((file) => fromFile(basename(file), file, facts));
  const known = new Set(named.map(({ path }) => path));
  return [...named, ...modules(facts), ...others.filter(({ path }) => !known.has(path))];
}

export function argvOf({ name, path, python, isNative }: Program): readonly string[] {
  if (isNative === true) return [path];
  if (python === null) return ['/usr/bin/env', 'node', path];
  const start = python === 'python3' ? ['/usr/bin/env', 'python3'] : [python];
  return path === '-m' ? [...start, '-m', name] : [...start, path];
}
