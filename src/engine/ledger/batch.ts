import type { Appended } from './contract.ts';
import { finishLine, type PreparedLine } from './entry.ts';
import { hashLeafInPlace } from './tree.ts';

/** Lines that go to the disk in one write. */
export interface Batch {
  readonly bytes: Buffer;
  readonly lines: readonly { readonly leaf: string; readonly bytes: number }[];
  readonly appended: readonly Appended[];
}

export function buildBatch(prepared: readonly PreparedLine[], previous: string, firstSequence: number): Batch {
  const moment = { monotonicNs: process.hrtime.bigint(), wall: new Date().toISOString() };
  const room = prepared.reduce((sum, line) => sum + line.bytes, 1);
  const buffer = Buffer.allocUnsafe(room);
  const lines: { leaf: string; bytes: number }[] = [];
  let [start, leaf] = [1, previous];
  for (const [index, line] of prepared.entries()) {
    const end = start + buffer.write(finishLine(line, moment, leaf, firstSequence + index), start);
    leaf = hashLeafInPlace(buffer, start, end);
    // Hashing took the end of the line before.
    buffer[start - 1] = 10;
    buffer[end] = 10;
    lines.push({ leaf, bytes: end + 1 - start });
    start = end + 1;
  }
  const appended = lines.map((line, index) => ({ sequence: firstSequence + index, leaf: line.leaf }));
  return { bytes: buffer.subarray(1, start), lines, appended };
}
