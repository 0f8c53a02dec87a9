import type { CompoundEntry, CompoundFile } from '../compound/read-compound-file.ts';

/** A copy of a compound file in which streams have other content of the same length. */
export function replaceStreams(
  bytes: Uint8Array,
  file: CompoundFile,
  contents: ReadonlyMap<CompoundEntry, Uint8Array>,
): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [entry, content] of contents) {
    let from = 0;
    for (const { at, length } of file.pieces(entry)) {
      copy.set(content.subarray(from, from + length), at);
      from += length;
    }
  }
  return copy;
}
