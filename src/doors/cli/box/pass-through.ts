import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createSafeOutput } from '../terminal/safe-output.ts';

/** Joins the streams of a target with ours. Nothing here may end our own streams. */

function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

/**
 * Resolves when the last byte was handed on, or when there is nobody left to hand it to: with true where a terminal now
 * stands in the middle of a line.
 */
export async function passOutput(from: Readable, to: Writable, isRaw: boolean): Promise<boolean> {
  const source = isRaw || !isTerminal(to) ? from : from.pipe(createSafeOutput());
  let last = '\n';
  source.on('data', (chunk: Buffer) => {
    last = chunk.subarray(-1).toString('latin1') || last;
  });
  source.pipe(to, { end: false });
  // A target that is ended in the middle of a line is no error here.
  await finished(source, { writable: false }).catch(() => {});
  return isTerminal(to) && last !== '\n';
}

/** Returns a function that takes the streams apart again, so that a waiting reader does not keep us alive. */
export function passInput(from: Readable, to: Writable): () => void {
  // EPIPE: the target does not read its input.
  to.on('error', () => from.unpipe(to));
  from.pipe(to);
  return () => {
    from.unpipe(to);
    from.pause();
  };
}
