/** Reads numbers and text at places that a sample names: outside of the bytes there is zero, and nothing throws. */
export interface ByteView {
  readonly bytes: Uint8Array;
  readonly length: number;
  fits(at: number, length: number): boolean;
  u8(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  u64(at: number): bigint;
  slice(at: number, length: number): Uint8Array;
  latin1(at: number, length: number): string;
  utf8(at: number, length: number): string;
  utf16(at: number, length: number): string;
  /** Up to the zero byte, at most `most` bytes. */
  cString(at: number, most: number): string;
  /** Up to the zero unit, at most `most` units. */
  cString16(at: number, most: number): string;
}

export function makeByteView(bytes: Uint8Array, littleEndian: boolean): ByteView {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fits = (at: number, length: number): boolean => at >= 0 && length >= 0 && at + length <= bytes.length;
  const slice = (at: number, length: number): Uint8Array =>
    at < 0 || length <= 0 ? bytes.subarray(0, 0) : bytes.subarray(at, at + length);
  const text = (encoding: BufferEncoding) => (at: number, length: number) =>
    at < 0 || length <= 0 ? '' : buffer.toString(encoding, at, Math.min(at + length, bytes.length));
  const latin1 = text('latin1');
  // An odd number of bytes at an odd place makes node 24 write behind its memory: whole units only.
  const utf16 = (at: number, length: number): string => {
    const bytesLeft = Math.min(length, bytes.length - at);
    return at < 0 || bytesLeft < 2 ? '' : buffer.toString('utf16le', at, at + bytesLeft - (bytesLeft % 2));
  };
  return {
    bytes,
    length: bytes.length,
    fits,
    u8: (at) => bytes[at] ?? 0,
    u16: (at) => (fits(at, 2) ? view.getUint16(at, littleEndian) : 0),
    u32: (at) => (fits(at, 4) ? view.getUint32(at, littleEndian) : 0),
    u64: (at) => (fits(at, 8) ? view.getBigUint64(at, littleEndian) : 0n),
    slice,
    latin1,
    utf8: text('utf8'),
    utf16,
    cString(at, most) {
      const part = slice(at, most);
      const end = part.indexOf(0);
      return latin1(at, end < 0 ? part.length : end);
    },
    cString16(at, most) {
      const limit = Math.min(most * 2, bytes.length - at);
      let length = 0;
      while (length + 1 < limit && (bytes[at + length] !== 0 || bytes[at + length + 1] !== 0)) length += 2;
      return at < 0 ? '' : utf16(at, length);
    },
  };
}
