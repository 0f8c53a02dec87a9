import { homedir } from 'node:os';
import { keepCompiledCode } from './compiled-code.ts';

/**
 * A reader that has seen enough (`hotcell … | head`) is no error. We do not drop everything either: a box that is open
 * has to be closed first.
 */
const readerGone = new AbortController();
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
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

/** A stdin that nobody closes must not keep us alive; what was written must still come out. */
process.stdout.write('', () => process.exit(exitCode));
