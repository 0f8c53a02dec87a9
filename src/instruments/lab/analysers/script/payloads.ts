import { bytesOf, fromBase64, fromHex, inflateGzip, inflateRaw, inflateZlib } from './decoders.ts';
import { asText } from './text-encoding.ts';

/** Encoded data that lies in a text, whatever the language around it does with it. */

export interface Payload {
  readonly how: string;
  readonly bytes: Uint8Array;
  readonly text?: string;
}

const mostPayloads = 60;
const mostUnpacked = 3;

/** The beginnings of files worth looking at on their own. */
const knownBeginnings =
  /^(?:MZ|PK\x03\x04|\x7fELF|%PDF-|\xd0\xcf\x11\xe0|Rar!|7z\xbc\xaf\x27|\{\\rtf|MSCF|\x89PNG|GIF8|\xff\xd8\xff|L\0\0\0\x01\x14\x02\0|\xca\xfe\xba\xbe|dex\n|\0asm)/;

/** Unpacks gzip and zlib as often as they are wrapped. */
export function unpackAll(data: string, how: string): { data: string; how: string } {
  let current = { data, how };
  for (let round = 0; round < mostUnpacked; round += 1) {
    const { data: packed } = current;
    const gzip = packed.startsWith('\x1f\x8b') ? inflateGzip(packed) : undefined;
    const zlib = /^x[\x01\x5e\x9c\xda]/.test(packed) ? inflateZlib(packed) : undefined;
    const unpacked = gzip ?? zlib;
    if (unpacked === undefined || unpacked.length === 0) break;
    current = { data: unpacked, how: `${current.how}, ${gzip === undefined ? 'zlib' : 'gzip'}` };
  }
  return current;
}

/** Text or a known file, or nothing: random bytes are no payload. */
export function payloadOf(encoded: string, how: string): Payload | undefined {
  const { data, how: way } = unpackAll(encoded, how);
  const bytes = bytesOf(data);
  if (knownBeginnings.test(data.slice(0, 8))) return { how: way, bytes };
  const text = asText(bytes);
  if (text !== undefined) return { how: way, bytes, text };
  // .NET's DeflateStream and PHP's gzinflate write no header.
  const raw = way === how && encoded.length > 24 ? inflateRaw(encoded) : undefined;
  if (raw === undefined || raw.length < 16) return undefined;
  const rawBytes = bytesOf(raw);
  const rawText = asText(rawBytes);
  if (rawText !== undefined) return { how: `${how}, deflate`, bytes: rawBytes, text: rawText };
  return knownBeginnings.test(raw.slice(0, 8)) ? { how: `${how}, deflate`, bytes: rawBytes } : undefined;
}

/** A run that could be a path, a word or a hash is no base64. */
function looksEncoded(run: string): boolean {
  if (/^[0-9a-fA-F]+$/.test(run)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9+/=]/].filter((pattern) => pattern.test(run)).length;
  return kinds >= 3 || run.length >= 200;
}

export function findPayloads(text: string, tick: () => void): Payload[] {
  const found: Payload[] = [];
  const seen = new Set<string>();
  const add = (encoded: string | undefined, how: string): void => {
    const payload = encoded === undefined || found.length >= mostPayloads ? undefined : payloadOf(encoded, how);
    if (payload !== undefined) found.push(payload);
  };
  let tries = 0;
  for (const match of text.matchAll(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,}={0,2}/g)) {
    tries += 1;
    if (tries % 64 === 0) tick();
    if (tries > 4000 || found.length >= mostPayloads) break;
    const [run] = match;
    if (seen.has(run) || !looksEncoded(run)) continue;
    seen.add(run);
    const reversedRun = /^=?=?[A-Za-z0-9+/]+$/.test(run) && text[match.index - 1] === '=';
    add(
      fromBase64(reversedRun ? Array.from(`${'='}${run}`).reverse().join('') : run),
      reversedRun ? 'base64 backwards' : 'base64',
    );
  }
  tries = 0;
  for (const [run] of text.matchAll(/(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}){20,}(?![0-9A-Fa-f])/g)) {
    tries += 1;
    if (tries % 64 === 0) tick();
    if (tries > 1000 || seen.has(run)) continue;
    seen.add(run);
    add(fromHex(run), 'hexadecimal');
  }
  tries = 0;
  for (const [run] of text.matchAll(/(?:(?:\\x|0x|&H|%)[0-9A-Fa-f]{2}(?:[ ,]|, )?){12,}/g)) {
    tries += 1;
    if (tries > 500) break;
    add(fromHex(run.replaceAll(/&H/gi, '')), 'hexadecimal list');
  }
  for (const [run] of text.matchAll(/\b(?:\d{1,3}\s?,\s?){20,}\d{1,3}\b/g)) {
    tries += 1;
    if (tries > 1000) break;
    const codes = run.split(',').map(Number);
    if (codes.every((code) => code < 256))
      add(String.fromCharCode.apply(undefined, codes.slice(0, 60_000)), 'decimal list');
  }
  return found;
}
