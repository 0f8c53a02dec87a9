import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { describeError, exitCodes } from '../../base/errors.ts';
import { keepCompiledCode } from './compiled-code.ts';

/**
 * A reader that has seen enough (`hotcell … | head`) is no error. We do not drop everything either: a box that is open
 * has to be closed first.
 */
const readerGone = new AbortController();
/** What else can go wrong with our output: a full disk. Then it is not the output that was asked for, whatever it was. */
const unwritten: NodeJS.ErrnoException[] = [];
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') unwritten.push(error);
    readerGone.abort();
  });
}

// A client waits for it at every start, so it is worth keeping what V8 has made of the code.
if (process.argv[2] === 'run') keepCompiledCode(process.env, homedir());
const { runCommandLine } = await import('./run-command-line.ts');

const exitCode = await runCommandLine(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  readerGone: readerGone.signal,
  caller: {
    environment: process.env,
    folder: process.cwd(),
    homeFolder: homedir(),
    userId: process.getuid?.() ?? -1,
  },
});

function tellUnwritten(): number {
  try {
    writeSync(2, `hotcell: the output could not be written: ${unwritten.map(describeError).join('; ')}\n`);
  } catch {
    // Nobody can be told, but by the exit code.
  }
  return exitCodes.internal;
}

/** A stdin that nobody closes must not keep us alive; what was written must still come out. */
process.stdout.write('', () => setImmediate(() => process.exit(unwritten.length === 0 ? exitCode : tellUnwritten())));
