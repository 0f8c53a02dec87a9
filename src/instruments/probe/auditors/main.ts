import { readFileSync, writeSync } from 'node:fs';
import { auditors } from './index.ts';
import { runAudit } from './run.ts';

/**
 * The program of the auditors inside the room: `main NAME input.json`. What it finds goes to its standard output, a line
 * of JSON for each thing.
 */

const mostInputBytes = 4 * 1024 * 1024;

const pauseMs = 5;
const mostPauses = 4000;

/** Written at once, so that whoever ends this program loses nothing; a reader that is slow is waited for. */
function writeLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0, pauses = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      pauses += 1;
      const isFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isFull || pauses > mostPauses) process.exit(1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

function stop(because: string): never {
  writeLine(JSON.stringify({ type: 'note', text: because }));
  process.exit(1);
}

function readInput(path: string): string {
  try {
    const bytes = readFileSync(path);
    return bytes.length > mostInputBytes ? stop('the input is too long') : bytes.toString('utf8');
  } catch {
    return stop('the input cannot be read');
  }
}

process.on('uncaughtException', () => stop('the auditor failed in a way that it does not know'));
process.on('unhandledRejection', () => stop('the auditor failed in a way that it does not know'));

const [name, path] = process.argv.slice(2);
if (name === undefined || path === undefined) stop('give the name of an auditor and the file with its input');
process.exit(await runAudit(auditors, name, readInput(path), writeLine));
