import { basename } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { otherLaunchers } from '../../../targets/ingest/target/command/other-launchers.ts';
import { parseCommand } from '../../../targets/ingest/target/command/parse-command.ts';
import type { CommandTarget, StartedTarget } from '../../../targets/ingest/target/contract.ts';
import { isPlainCommand, splitWords } from '../../../targets/ingest/target/split-words.ts';
import type { Surroundings } from './interpreter.ts';

/**
 * A launch command, read:
 *
 *     env A=1 npx -y -p pkg@1 server --port 1
 *     ─┬───── ──┬───── ──┬──  ──┬─── ───┬────
 *   variables launcher  target command  args
 */

export interface Asked {
  /** `env A=1` before it: part of what is started. */
  readonly variables: readonly string[];
  /** Without programs that only hand over. */
  readonly words: readonly string[];
  readonly launcher: string;
  /** Null where the words do not tell what they start: inline code, a shell line. */
  readonly target: CommandTarget | null;
  readonly args: readonly string[];
}

/** What is to be started of what was installed. */
export type Wanted =
  /** The program that the package is known for. */
  | { readonly is: 'package'; readonly spelled: string }
  | { readonly is: 'program'; readonly name: string; readonly args: readonly string[] };

const containerPrograms = new Set(['docker', 'podman', 'nerdctl']);
/** Started as they are even where nobody can tell what they start. */
const asTheyAre = new Set(['node', 'python', 'pypy', 'sh', 'bash', 'zsh', 'dash', 'bun', 'deno', 'java']);
const mostHandovers = 8;

export function launcherName(program: string): string {
  const name = basename(program)
    .toLowerCase()
    .replace(/\.(cmd|exe)$/, '');
  if (name === 'nodejs') return 'node';
  return name.replace(/^(python|pypy)[\d.]+$/, '$1');
}

function refuseContainer(words: readonly string[], around: Surroundings): never {
  const [program = ''] = words;
  let image = 'IMAGE';
  try {
    const { starts } = parseCommand(words, around);
    if (starts.kind === 'image') image = starts.reference;
  } catch {
    // The general advice holds all the same.
  }
  throw new UsageError(`${basename(program)} starts a container outside of the box, where no policy would hold`, {
    hint: `see what is in it with: hotcell analyze image:${image}; run the server by its package (npx, uvx) or its files instead`,
  });
}

/** `env A=1 sh -c "npx p"` is `npx p` with a variable. */
function unwrap(argv: readonly string[], around: Surroundings): Pick<Asked, 'variables' | 'words'> {
  let words = argv;
  const variables: string[] = [];
  for (let count = 0; count < mostHandovers; count += 1) {
    const [program = '', ...rest] = words;
    const name = launcherName(program);
    const launcher = otherLaunchers.find(({ names }) => names.includes(name));
    const read = launcher === undefined || containerPrograms.has(name) ? undefined : launcher.read(rest, around);
    if (read === undefined || !('handsOver' in read) || read.handsOver.length === 0) return { variables, words };
    if (name === 'env') {
      const before = rest.slice(0, rest.length - read.handsOver.length);
      const others = before.filter((word) => !/^[A-Za-z_]\w*=/.test(word) && word !== '--');
      if (others.length > 0) {
        throw new UsageError(`env ${JSON.stringify(others[0])} is not understood before a server`, {
          hint: 'only NAME=value is; what a server may see of the environment stands in its policy',
        });
      }
      variables.push(...before.filter((word) => word !== '--'));
    }
    words = read.handsOver;
  }
  throw new UsageError('too many programs in a row that only start another one');
}

export function readLaunch(argv: readonly string[], around: Surroundings): Asked {
  if (argv.length === 0 || argv[0] === '') {
    throw new UsageError('no command to start', { hint: 'hotcell run -- npx -y some-server' });
  }
  if (argv.some((word) => word.includes('\0'))) throw new UsageError('a word of the command holds NUL');
  const { variables, words } = unwrap(argv, around);
  const launcher = launcherName(words[0] ?? '');
  if (containerPrograms.has(launcher)) refuseContainer(words, around);
  const searchPath = (around.environment.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  try {
    const target = parseCommand(words, { cwd: around.cwd, home: around.home, searchPath });
    return { variables, words, launcher, target, args: target.args };
  } catch (error) {
    if (!(error instanceof UsageError) || !asTheyAre.has(launcher) || !isPathGood(words, error)) throw error;
    return { variables, words, launcher, target: null, args: words.slice(1) };
  }
}

/** A file that is not there is a mistake; inline code and modules of the interpreter are not. */
function isPathGood(words: readonly string[], error: UsageError): boolean {
  return words.length > 1 && !/there is no file or folder|is neither a file/.test(error.message);
}

const packageOptions = /^(-p|--package|--from|--spec)(=|$)/;
const callOptions = /^(-c|--call)$/;

/** The word that names the program: `server` in `npx -p pkg server`, and the package itself in `npx pkg`. */
export function wantedOf({ words, args }: Asked): Wanted {
  const at = words.length - args.length - 1;
  const word = words[at] ?? '';
  const before = words[at - 1] ?? '';
  const isNamed = words.slice(1, at + 1).some((each) => packageOptions.test(each));
  if (callOptions.test(before)) {
    const [name, ...own] = isPlainCommand(word) ? splitWords(word) : [];
    if (name !== undefined) return { is: 'program', name, args: own };
    throw new UsageError(`a shell line after ${before} cannot be started in a box as one program`, {
      hint: 'name the program and its arguments: npx -p PACKAGE PROGRAM ARGUMENTS',
    });
  }
  if (!isNamed) return { is: 'package', spelled: word };
  if (word === '' || packageOptions.test(word) || packageOptions.test(before)) {
    throw new UsageError('the command names a package, and no program of it', {
      hint: 'npx -p PACKAGE PROGRAM, uvx --from PACKAGE PROGRAM',
    });
  }
  return { is: 'program', name: word, args: [] };
}

export const isPackage = ({ kind }: StartedTarget): boolean => kind === 'npm' || kind === 'pypi' || kind === 'git';
