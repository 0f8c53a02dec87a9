import { inflateBounded } from '../inflate.ts';

/** Undoes the encodings that scripts use. Bytes travel as latin1 text, as they do in most of these languages. */

export const mostDecoded = 8 * 1024 * 1024;

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

export function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

export function fromBase64(text: string): string | undefined {
  const clean = text
    .replaceAll(/[\s\0]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  return clean.length < 4 || !/^[A-Za-z0-9+/]+={0,3}$/.test(clean)
    ? undefined
    : Buffer.from(clean, 'base64').toString('latin1');
}

export function fromHex(text: string): string | undefined {
  const clean = text.replaceAll(/(?:0x|\\x|[\s,:%-])+/gi, '');
  return clean.length < 2 || clean.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(clean)
    ? undefined
    : Buffer.from(clean, 'hex').toString('latin1');
}

export function fromPercent(text: string): string {
  return text.replaceAll(
    /%u([0-9a-fA-F]{4})|%([0-9a-fA-F]{2})/g,
    (_, wide: string | undefined, narrow: string | undefined) =>
      String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16)),
  );
}

export function rot13(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

export function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

function inflateAs(form: 'raw' | 'zlib' | 'gzip') {
  return (text: string): string | undefined => {
    const { bytes, problem } = inflateBounded(bytesOf(text), form, mostDecoded);
    return problem === undefined || bytes.length > 0 ? latin1(bytes) : undefined;
  };
}

export const inflateRaw = inflateAs('raw');
export const inflateZlib = inflateAs('zlib');
export const inflateGzip = inflateAs('gzip');

export function utf8(text: string): string {
  return bytesOf(text).toString('utf8');
}

export function utf16(text: string): string {
  // Whole units only: an odd number of bytes at an odd place makes node 24 write behind its memory.
  return bytesOf(text).toString('utf16le', 0, text.length - (text.length % 2));
}

/** UTF-16 of bytes when every other one is zero, UTF-8 otherwise. */
export function bestText(text: string): string {
  let zeros = 0;
  const seen = Math.min(text.length, 2000);
  for (let at = 1; at < seen; at += 2) if (text.charCodeAt(at) === 0) zeros += 1;
  return seen > 3 && zeros > seen / 4 ? utf16(text) : utf8(text);
}
