import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StartedTarget } from '../../../targets/ingest/target/contract.ts';
import type { Asked } from './asked.ts';
import { isGivable } from './own-folder.ts';

/** `uv run` starts something in the environment of a project: a file, a program, a module. */

export type UvStart =
  | { readonly is: 'file'; readonly args: readonly string[] }
  | { readonly is: 'program'; readonly name: string; readonly args: readonly string[] }
  | { readonly is: 'module'; readonly name: string; readonly args: readonly string[] };

export const isUvRun = ({ launcher, words }: Asked): boolean => launcher === 'uv' && words.includes('run');

export function readUvRun({ words, args, target }: Asked): UvStart {
  const at = words.length - args.length - 1;
  const module = words.findIndex((word, index) => index > words.indexOf('run') && /^(-m|--module)$/.test(word));
  const isPython = /^python[\d.]*$/.test(words[at] ?? '');
  // After `python` come its own options, before that those of uv.
  if (module !== -1 && (module <= at || (isPython && module === at + 1))) {
    return { is: 'module', name: words[module + 1] ?? '', args: words.slice(module + 2) };
  }
  if (target?.starts.kind === 'file') return { is: 'file', args: isPython ? args.slice(1) : args };
  return { is: 'program', name: words[at] ?? '', args };
}

const mostLevelsUp = 6;

function findVenv(from: string, home: string): string | null {
  let folder = from;
  for (let level = 0; level < mostLevelsUp && isGivable(folder, home); level += 1) {
    if (existsSync(join(folder, '.venv/pyvenv.cfg'))) return join(folder, '.venv');
    folder = dirname(folder);
  }
  return null;
}

/** The same as a command of the project's own environment; null where it has none that fits. */
export function inProject(asked: Asked, starts: StartedTarget, { home }: { readonly home: string }): Asked | null {
  if (starts.kind !== 'file' && starts.kind !== 'folder') return null;
  const venv = findVenv(starts.kind === 'folder' ? starts.path : dirname(starts.path), home);
  if (venv === null) return null;
  const start = readUvRun(asked);
  const python = join(venv, 'bin/python');
  const program = start.is === 'program' ? join(venv, 'bin', start.name.split('/').at(-1) ?? '') : python;
  if (!existsSync(program)) return null;
  const words = {
    file: () => [python, starts.path, ...start.args],
    module: () => [python, '-m', start.is === 'module' ? start.name : '', ...start.args],
    program: () => [program, ...start.args],
  }[start.is]();
  return { ...asked, launcher: start.is === 'program' ? 'uv' : 'python', words, args: start.args };
}
