/** Which bytes are text, and in which encoding. */

export type TextEncodingName = 'ascii' | 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';

export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncodingName;
  readonly hasMark: boolean;
}

export const textSearchBytes = 256 * 1024;
const mostControlShare = 0.01;

function isControl(byte: number): boolean {
  return (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) || byte === 127;
}

interface Census {
  readonly controls: number;
  readonly high: number;
  readonly evenZeros: number;
  readonly oddZeros: number;
}

function count(bytes: Uint8Array): Census {
  const census = { controls: 0, high: 0, evenZeros: 0, oddZeros: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) census.high += 1;
    else if (isControl(byte)) census.controls += 1;
    if (byte !== 0) continue;
    if (at % 2 === 0) census.evenZeros += 1;
    else census.oddZeros += 1;
  }
  return census;
}

/** A character may be cut by the cap: up to three bytes at the end are not held against the text. */
function decodeUtf8(bytes: Uint8Array): string | null {
  for (let cut = 0; cut < 4; cut += 1) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, bytes.length - cut));
    } catch {}
  }
  return null;
}

function decodeWide(bytes: Uint8Array, isBig: boolean): string {
  return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes);
}

/** Most of it in one half of the character set, and nothing that text never has. */
function looksWide(text: string): boolean {
  let bad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd || code === 0 || (code < 128 && isControl(code)) || (code >= 0xe000 && code < 0xf900)) bad += 1;
  }
  return text.length > 0 && bad / text.length < mostControlShare;
}

function decodeMarked(bytes: Uint8Array): DecodedText | null {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) {
    const text = decodeWide(bytes.subarray(2), false);
    return looksWide(text) ? { text, encoding: 'utf-16le', hasMark: true } : null;
  }
  if (first === 0xfe && second === 0xff) {
    const text = decodeWide(bytes.subarray(2), true);
    return looksWide(text) ? { text, encoding: 'utf-16be', hasMark: true } : null;
  }
  if (first !== 0xef || second !== 0xbb || third !== 0xbf) return null;
  const text = decodeUtf8(bytes.subarray(3));
  return text === null ? null : { text, encoding: 'utf-8', hasMark: true };
}

/** The beginning of the bytes as text; null when they are none. */
export function decodeText(bytes: Uint8Array, limit = textSearchBytes): DecodedText | null {
  const head = bytes.subarray(0, limit);
  const marked = decodeMarked(head);
  if (marked !== null) return marked;
  if (head.length === 0) return null;
  const census = count(head);
  const half = head.length / 2;
  if (head.length >= 8 && Math.max(census.oddZeros, census.evenZeros) > half * 0.6) {
    const isBig = census.evenZeros > census.oddZeros;
    const text = decodeWide(head.subarray(0, head.length - (head.length % 2)), isBig);
    return looksWide(text) ? { text, encoding: isBig ? 'utf-16be' : 'utf-16le', hasMark: false } : null;
  }
  if (census.evenZeros + census.oddZeros > 0 || census.controls / head.length > mostControlShare) return null;
  const text = decodeUtf8(head);
  if (text !== null) return { text, encoding: census.high === 0 ? 'ascii' : 'utf-8', hasMark: false };
  // One-byte encodings of text have far fewer high bytes than packed data has.
  if (census.high / head.length > 0.3) return null;
  const plain = Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  return { text: plain, encoding: 'latin1', hasMark: false };
}
