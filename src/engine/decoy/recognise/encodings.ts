import { alphabets } from '../random.ts';

/** Encodings that can be written down ahead: what a needle looks like inside something larger that was encoded. */

/**
 * The digits that follow from the needle alone. In the encoded whole the needle may begin at any bit offset of a
 * digit group, and the digits at either end mix with what stands beside it:
 *
 *     bytes    |  ?   ? |  N   N   N |  N   ? |
 *     digits   |  ?  ?  ?* D | D D D D | D ?* ? ?      only D is certain
 */
function cores(needle: Buffer, bits: number, group: number, encode: (bytes: Buffer) => string): readonly string[] {
  return Array.from({ length: group }, (_, shift) => {
    const digits = encode(Buffer.concat([Buffer.alloc(shift), needle]));
    return digits.slice(Math.ceil((shift * 8) / bits), Math.floor(((shift + needle.length) * 8) / bits));
  });
}

export function base64Cores(needle: Buffer): readonly string[] {
  return cores(needle, 6, 3, (bytes) => bytes.toString('base64'));
}

export function toUrlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

export function encodeBase32(bytes: Uint8Array): string {
  let digits = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      digits += alphabets.base32[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? digits + alphabets.base32[(held << (5 - bits)) & 31] : digits;
}

export function base32Cores(needle: Buffer): readonly string[] {
  return cores(needle, 5, 5, encodeBase32);
}

export function reverse(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes).reverse();
}

export function rot13(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes).map((byte) => {
    const letter = byte | 0x20;
    if (letter < 0x61 || letter > 0x7a) return byte;
    return letter < 0x6e ? byte + 13 : byte - 13;
  }) as Buffer;
}

/** Without the zero at either end, so that both byte orders look the same. */
export function utf16Core(bytes: Uint8Array): Buffer {
  const core = Buffer.alloc(bytes.length * 2 - 1);
  bytes.forEach((byte, index) => {
    core[index * 2] = byte;
  });
  return core;
}
