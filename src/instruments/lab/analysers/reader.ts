/**
 * Reading what a sample says about itself. Every read is checked against the end of the data; one that goes beyond throws
 * `OutOfBounds`, which is caught where a structure begins and never leaves an analyser.
 */

export class OutOfBounds extends Error {
  constructor(at: number, length: number, size: number) {
    super(`${length} bytes at offset ${at} of ${size}`);
    this.name = 'OutOfBounds';
  }
}

export type ByteOrder = 'little' | 'big';

export interface Reader {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly order: ByteOrder;
  u8(at: number): number;
  u16(at: number): number;
  u32(at: number): number;
  i32(at: number): number;
  u64(at: number): bigint;
  /** As a number: exact up to 2^53, which is beyond every offset that can be real. */
  size64(at: number): number;
  /** A view, not a copy. */
  slice(at: number, length: number): Uint8Array;
  /** As much of it as there is: never throws. */
  cut(at: number, length: number): Uint8Array;
  /** One character per byte, up to the first zero, at most `cap`. */
  cString(at: number, cap?: number): string;
  latin1(at: number, length: number): string;
  /** UTF-16, little endian, `units` code units. */
  utf16(at: number, units: number): string;
}

export const defaultStringCap = 512;

export function makeReader(bytes: Uint8Array, order: ByteOrder = 'little'): Reader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = order === 'little';
  const check = (at: number, length: number): void => {
    if (!(Number.isSafeInteger(at) && at >= 0 && length >= 0 && at + length <= bytes.length))
      throw new OutOfBounds(at, length, bytes.length);
  };
  const slice = (at: number, length: number): Uint8Array => {
    check(at, length);
    return bytes.subarray(at, at + length);
  };
  return {
    bytes,
    length: bytes.length,
    order,
    u8(at) {
      check(at, 1);
      return view.getUint8(at);
    },
    u16(at) {
      check(at, 2);
      return view.getUint16(at, little);
    },
    u32(at) {
      check(at, 4);
      return view.getUint32(at, little);
    },
    i32(at) {
      check(at, 4);
      return view.getInt32(at, little);
    },
    u64(at) {
      check(at, 8);
      return view.getBigUint64(at, little);
    },
    size64(at) {
      check(at, 8);
      return Number(view.getBigUint64(at, little));
    },
    slice,
    cut(at, length) {
      const from = Math.min(Math.max(at, 0), bytes.length);
      return bytes.subarray(from, Math.min(Math.max(from, at + length), bytes.length));
    },
    cString(at, cap = defaultStringCap) {
      check(at, 1);
      const end = Math.min(bytes.length, at + cap);
      const zero = bytes.subarray(at, end).indexOf(0);
      return Buffer.from(bytes.subarray(at, zero === -1 ? end : at + zero)).toString('latin1');
    },
    latin1(at, length) {
      return Buffer.from(slice(at, length)).toString('latin1');
    },
    utf16(at, units) {
      return Buffer.from(slice(at, units * 2)).toString('utf16le');
    },
  };
}

/** What the reads give, or nothing when the data ends before. Other errors, such as the end of the time, go on. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof OutOfBounds) return undefined;
    throw error;
  }
}
