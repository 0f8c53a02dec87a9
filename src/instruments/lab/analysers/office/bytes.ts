/** Reading numbers and text out of bytes that may end anywhere: what lies behind the end reads as zero or as nothing. */

export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function u16(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) | (u8(bytes, at + 1) << 8);
}

export function u32(bytes: Uint8Array, at: number): number {
  return (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;
}

/** Sizes beyond what a number can hold exactly are no sizes of anything we are given. */
export function u64(bytes: Uint8Array, at: number): number {
  return u32(bytes, at + 4) * 0x1_0000_0000 + u32(bytes, at);
}

export function cut(bytes: Uint8Array, at: number, length: number): Uint8Array {
  const from = Math.min(Math.max(at, 0), bytes.length);
  return bytes.subarray(from, Math.min(bytes.length, from + Math.max(length, 0)));
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function latin1(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('latin1');
}

export function utf16(bytes: Uint8Array): string {
  return bufferOf(bytes.subarray(0, bytes.length & ~1)).toString('utf16le');
}

/** Up to the first zero, as C and Windows end their strings. */
export function untilZero(text: string): string {
  const end = text.indexOf('\0');
  return end === -1 ? text : text.slice(0, end);
}

export function startsWith(bytes: Uint8Array, signature: readonly number[], at = 0): boolean {
  return signature.every((value, index) => bytes[at + index] === value);
}

export function guidAt(bytes: Uint8Array, at: number): string {
  const hex = (from: number, to: number): string => bufferOf(cut(bytes, at + from, to - from)).toString('hex');
  const flipped = (from: number, to: number): string => (hex(from, to).match(/../g) ?? []).reverse().join('');
  return `${flipped(0, 4)}-${flipped(4, 6)}-${flipped(6, 8)}-${hex(8, 10)}-${hex(10, 16)}`.toUpperCase();
}

/** A FILETIME as ISO 8601; null where it is unset or no time anybody could mean. */
export function fileTimeAt(bytes: Uint8Array, at: number): string | null {
  const ticks = u64(bytes, at);
  const ms = ticks / 10_000 - 11_644_473_600_000;
  if (ticks === 0 || ms < -11_644_473_600_000 + 86_400_000 || ms > 8_640_000_000_000_000) return null;
  return new Date(Math.floor(ms)).toISOString();
}

export const compoundSignature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const;

export function isCompound(bytes: Uint8Array): boolean {
  return startsWith(bytes, compoundSignature);
}

/** Names begin with control characters in compound files: shown so that they can be told apart. */
export function visible(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
