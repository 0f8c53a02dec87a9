import { createHash } from 'node:crypto';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** Of an address of 25 bytes whose checksum is right: its version byte. */
export function base58Version(text: string): number | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const hex = value.toString(16).padStart(50, '0');
  if (hex.length !== 50) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  const check = sha256(sha256(bytes.subarray(0, 21)));
  return bytes.subarray(21).every((byte, index) => byte === check[index]) ? bytes[0] : undefined;
}

const blockSizes = [0, 2, 3, 5, 6, 7, 9, 10, 11];

/** Monero's way: blocks of eleven characters, each eight bytes. */
export function decodeMonero(text: string): Uint8Array | undefined {
  const out: number[] = [];
  for (let at = 0; at < text.length; at += 11) {
    const block = text.slice(at, at + 11);
    const size = blockSizes.indexOf(block.length);
    let value = 0n;
    for (const character of block) {
      const digit = alphabet.indexOf(character);
      if (digit < 0) return undefined;
      value = value * 58n + BigInt(digit);
    }
    if (size < 1 || value >= 1n << BigInt(8 * size)) return undefined;
    out.push(...Buffer.from(value.toString(16).padStart(size * 2, '0'), 'hex'));
  }
  return Uint8Array.from(out);
}
