/** Reading numbers and words out of bytes that may end anywhere: what is not there is -1, or no match. */

export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? -1;
}

export function u16(bytes: Uint8Array, at: number): number {
  return at >= 0 && at + 2 <= bytes.length ? u8(bytes, at) | (u8(bytes, at + 1) << 8) : -1;
}

export function u32(bytes: Uint8Array, at: number): number {
  return at >= 0 && at + 4 <= bytes.length ? u16(bytes, at) + u16(bytes, at + 2) * 0x10000 : -1;
}

export function u32be(bytes: Uint8Array, at: number): number {
  if (at < 0 || at + 4 > bytes.length) return -1;
  return u8(bytes, at) * 0x1000000 + ((u8(bytes, at + 1) << 16) | (u8(bytes, at + 2) << 8) | u8(bytes, at + 3));
}

export function u16be(bytes: Uint8Array, at: number): number {
  return at >= 0 && at + 2 <= bytes.length ? (u8(bytes, at) << 8) | u8(bytes, at + 1) : -1;
}

/** Whether the characters of `word`, each one byte, stand at `at`. */
export function hasWord(bytes: Uint8Array, word: string, at = 0): boolean {
  if (at < 0 || at + word.length > bytes.length) return false;
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[at + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

export function latin1(bytes: Uint8Array, from: number, to: number): string {
  const part = bytes.subarray(Math.max(0, from), Math.max(0, to));
  return Buffer.from(part.buffer, part.byteOffset, part.length).toString('latin1');
}

/** Where `word` stands first, in native speed. */
export function findWord(bytes: Uint8Array, word: string, from = 0, to = bytes.length): number {
  const part = bytes.subarray(from, to);
  const at = Buffer.from(part.buffer, part.byteOffset, part.length).indexOf(word, 0, 'latin1');
  return at === -1 ? -1 : from + at;
}
