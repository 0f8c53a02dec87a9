/** Small helpers to write bytes down. */

export const raw = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
export const utf16le = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf16le'));
export const utf16be = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf16le').swap16());

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** `size` zeros with words written over them. */
export function put(size: number, places: readonly (readonly [number, string | Uint8Array])[]): Uint8Array {
  const bytes = new Uint8Array(size);
  for (const [at, what] of places) bytes.set(typeof what === 'string' ? raw(what) : what, at);
  return bytes;
}

export const le16 = (value: number): Uint8Array => Uint8Array.of(value & 255, (value >> 8) & 255);
export const le32 = (value: number): Uint8Array => join(le16(value & 0xffff), le16(value >>> 16));

/** Bytes that look random and are the same each time. */
export function noise(size: number, seed = 1): Uint8Array {
  let state = seed >>> 0 || 1;
  return Uint8Array.from({ length: size }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state & 255;
  });
}
