/**
 * One block of 512 bytes before every entry:
 *
 *     0 name 100 mode 108 uid 116 gid 124 size 136 mtime 148 checksum 156 type 157 link 257 magic 329 device 345 prefix 500
 *
 * Numbers are octal text, or big-endian bytes when the first bit is set.
 */

export const blockBytes = 512;

export interface TarHeader {
  readonly name: Uint8Array;
  readonly link: Uint8Array;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
}

function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

/** NaN for what is no number or too large to be one. */
function readNumber(bytes: Uint8Array): number {
  const [first = 0] = bytes;
  if ((first & 0x80) !== 0) {
    if ((first & 0x40) !== 0) return Number.NaN;
    let value = first & 0x3f;
    for (const byte of bytes.subarray(1)) value = value * 256 + byte;
    return Number.isSafeInteger(value) ? value : Number.NaN;
  }
  const text = Buffer.from(untilNul(bytes)).toString('latin1').trim();
  if (text === '') return 0;
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

function hasChecksum(block: Uint8Array): boolean {
  let unsigned = 0;
  let signed = 0;
  for (const [at, byte] of block.entries()) {
    const value = at >= 148 && at < 156 ? 0x20 : byte;
    unsigned += value;
    signed += value > 127 ? value - 256 : value;
  }
  const told = readNumber(block.subarray(148, 156));
  return told === unsigned || told === signed;
}

export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Nothing when the block is no header. */
export function readTarHeader(block: Uint8Array): TarHeader | undefined {
  if (block.length !== blockBytes || !hasChecksum(block)) return undefined;
  const magic = Buffer.from(block.subarray(257, 265)).toString('latin1');
  const name = untilNul(block.subarray(0, 100));
  // Only the POSIX form has a prefix; GNU keeps times in the same place.
  const prefix = magic.startsWith('ustar\0') ? untilNul(block.subarray(345, 500)) : new Uint8Array(0);
  return {
    name: prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : Buffer.from(name),
    link: Buffer.from(untilNul(block.subarray(157, 257))),
    mode: readNumber(block.subarray(100, 108)),
    size: readNumber(block.subarray(124, 136)),
    type: String.fromCharCode(block[156] ?? 0),
  };
}
