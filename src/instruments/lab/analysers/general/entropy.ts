/** How evenly bytes are spread: 0 is one byte only, 8 is what packed or encrypted data has. */

export function countBytes(bytes: Uint8Array, counts: Uint32Array): void {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
}

export function entropyOfCounts(counts: Uint32Array, total: number): number {
  let sum = 0;
  for (const count of counts) {
    if (count > 0) sum -= (count / total) * Math.log2(count / total);
  }
  return Math.round(Math.abs(sum) * 1000) / 1000;
}

const pictureBlocks = 256;

export interface EntropyPicture {
  readonly total: number;
  readonly blockBytes: number;
  /** At most 256, from the beginning of the file to its end. */
  readonly blocks: readonly number[];
  readonly counts: Uint32Array;
}

export function measureEntropy(bytes: Uint8Array, tick: () => void): EntropyPicture {
  const counts = new Uint32Array(256);
  const blockBytes = Math.max(16, Math.ceil(bytes.length / pictureBlocks));
  const blocks: number[] = [];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    tick();
    const own = new Uint32Array(256);
    const block = bytes.subarray(at, at + blockBytes);
    countBytes(block, own);
    for (let byte = 0; byte < 256; byte += 1) counts[byte] = (counts[byte] ?? 0) + (own[byte] ?? 0);
    blocks.push(Math.round(entropyOfCounts(own, block.length) * 100) / 100);
  }
  return { total: bytes.length === 0 ? 0 : entropyOfCounts(counts, bytes.length), blockBytes, blocks, counts };
}
