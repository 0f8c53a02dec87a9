import type { Readable, Writable } from 'node:stream';
import type { Caller } from '../settings/definitions.ts';
import { loadSettings } from '../settings/load.ts';
import { readVersion } from '../tools/version.ts';
import type { CommandDefinition } from './definition.ts';
import { parseCommandLine } from './program.ts';
import { reportError } from './report-error.ts';
import { describeTerminal, type Terminal } from './terminal/index.ts';

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Outside {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly caller: Caller;
  readonly readerGone: AbortSignal;
}

function terminalOf(stream: Output, color: 'auto' | 'always' | 'never', caller: Caller): Terminal {
  return describeTerminal({
    color,
    isTerminal: stream.isTTY === true,
    columns: stream.columns,
    environment: caller.environment,
  });
}

/** A client waits for `hotcell run`, and has use for nothing of the others. */
async function loadCommands(argv: readonly string[]): Promise<readonly CommandDefinition[]> {
  if (argv[0] === 'run') return [(await import('./commands/run.ts')).run];
  return (await import('./commands/index.ts')).commands;
}

/** One run of `hotcell`: everything it touches is handed in, its exit code comes back. */
export async function runCommandLine(argv: readonly string[], outside: Outside): Promise<number> {
  const { caller, stdin, stdout, stderr, readerGone } = outside;
  // Until the settings are known, only the command line itself can say how errors are to look.
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  let color: 'auto' | 'always' | 'never' = own.includes('--no-color') ? 'never' : 'auto';
  let isDebug = own.includes('--debug');
  try {
    const parsed = parseCommandLine(argv, await loadCommands(argv), {
      version: await readVersion(),
      terminal: terminalOf(stdout, color, caller),
    });
    if ('text' in parsed) {
      (parsed.exitCode === 0 ? stdout : stderr).write(parsed.text);
      return parsed.exitCode;
    }
    const settings = await loadSettings(parsed.flags, caller);
    color = settings.values.color;
    isDebug = settings.values.logLevel === 'debug';
    const door = {
      stdin,
      stdout,
      stderr,
      trailing: argv.includes('--') ? argv.slice(argv.indexOf('--') + 1) : [],
      isInteractive: stdin.isTTY === true && stderr.isTTY === true,
      readerGone,
      caller,
      settings,
      terminal: terminalOf(stdout, color, caller),
      errorTerminal: terminalOf(stderr, color, caller),
    };
    return (await parsed.command.run?.(parsed.options, parsed.words, door)) ?? 0;
  } catch (error) {
    const report = reportError(error, terminalOf(stderr, color, caller).style, isDebug);
    stderr.write(report.text);
    return report.exitCode;
  }
}
