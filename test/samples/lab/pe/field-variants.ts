import { makeRandom } from '../fuzz-analyser.ts';

const values = [
  0, 1, 2, 3, 8, 0x10, 0x7f, 0xff, 0x100, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
];

/**
 * Copies in which a few whole fields hold extreme numbers: counts, offsets and sizes are what readers of executables
 * trust too much, and single changed bytes seldom make them extreme.
 */
export function fieldVariants(sample: Uint8Array, count: number, seed = 1): Buffer[] {
  const random = makeRandom(seed * 104_729);
  const pick = (most: number): number => Math.floor(random() * most);
  return Array.from({ length: count }, () => {
    const bytes = Buffer.from(sample);
    if (bytes.length < 8) return bytes;
    for (let change = pick(4) + 1; change > 0; change -= 1) {
      // Half of the changes go into the headers at the front.
      const reach = pick(2) === 0 ? Math.min(bytes.length, 1024) : bytes.length;
      const at = Math.min(bytes.length - 4, pick(Math.floor(reach / 2)) * 2);
      const number = pick(4) === 0 ? pick(bytes.length) : (values[pick(values.length)] ?? 0);
      if (pick(2) === 0) bytes.writeUInt32LE(number >>> 0, at);
      else bytes.writeUInt32BE(number >>> 0, at);
    }
    return bytes;
  });
}
