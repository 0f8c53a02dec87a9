import { join } from 'node:path';
import { UsageError } from '../../../../base/errors.ts';
import type { CommandTarget, TargetContext } from '../contract.ts';
import { lookAt, parsePath } from '../file-format.ts';
import { nodeLaunchers } from './node-launchers.ts';
import { otherLaunchers } from './other-launchers.ts';
import { pythonLaunchers } from './python-launchers.ts';

/** One list, no discovery: a launcher is one entry. */
export const launchers = [...nodeLaunchers, ...pythonLaunchers, ...otherLaunchers];

const mostWords = 4096;
const mostHandovers = 8;

/** `C:\node\npx.cmd` is npx, `python3.12` is python. */
function launcherName(program: string): string {
  const base = program.split(/[/\\]/).at(-1) ?? program;
  const name = base.toLowerCase().replace(/\.(cmd|exe|ps1|bat)$/, '');
  if (name === 'nodejs') return 'node';
  return name.replace(/^(python|pypy)[\d.]+$/, '$1').replace(/^py$/, 'python');
}

function unclear(argv: readonly string[], why: string): UsageError {
  const shown = argv.slice(0, 8).join(' ');
  return new UsageError(`command ${JSON.stringify(shown)}: ${why}`, {
    hint: 'give what it starts as the target: a package, a file, a folder or an image',
  });
}

function findProgram(program: string, context: TargetContext): string | undefined {
  if (/[/\\]/.test(program)) return program;
  if (program === '') return undefined;
  return context.searchPath?.map((folder) => join(folder, program)).find((path) => lookAt(path)?.isFile() === true);
}

/** What a command would start. It is read, never run. */
export function parseCommand(argv: readonly string[], context: TargetContext): CommandTarget {
  if (argv.length > mostWords) throw unclear(argv, `more than ${mostWords} words`);
  if (argv.some((word) => word.includes('\0'))) throw unclear([], 'a word holds NUL');
  let words = argv;
  for (let handovers = 0; handovers <= mostHandovers; handovers += 1) {
    const [program, ...rest] = words;
    if (program === undefined) throw unclear(argv, 'no program');
    const name = launcherName(program);
    const launcher = launchers.find(({ names }) => names.includes(name));
    if (launcher === undefined) {
      const path = findProgram(program, context);
      if (path === undefined)
        throw unclear(argv, `no launcher that is known, and no program ${JSON.stringify(program)}`);
      const starts = parsePath(path, context, true);
      return { kind: 'command', argv, launcher: program, starts, besides: [], args: rest };
    }
    const read = launcher.read(rest, context);
    if (read === undefined) throw unclear(argv, `this form of ${name} names nothing that can be inspected`);
    if (!('handsOver' in read)) {
      return {
        kind: 'command',
        argv,
        launcher: name,
        starts: read.starts,
        besides: read.besides ?? [],
        args: read.args,
      };
    }
    words = read.handsOver;
  }
  throw unclear(argv, 'too many programs in a row that start another one');
}
