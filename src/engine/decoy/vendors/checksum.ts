import { crc32 } from 'node:zlib';
import { alphabets, type Random } from '../random.ts';

const checksumDigits = 6;

/** The checksum that GitHub and npm end their tokens with: CRC-32 of the random part as six digits of base 62. */
export function checksum62(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (rest > 0) {
    digits = (alphabets.base62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(checksumDigits, '0');
}

export function withChecksum(prefix: string, random: Random, length = 30): string {
  const body = random.text(alphabets.base62, length);
  return `${prefix}${body}${checksum62(body)}`;
}
