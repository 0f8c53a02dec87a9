/** RTF as tokens, read as leniently as Word reads it: what is not understood is passed over. */

export interface RtfEvents {
  open(at: number): void;
  close(at: number): void;
  /** `\objdata`, with its number where it has one. */
  control(word: string, value: number | null, at: number): void;
  /** `\'e9` and text as it stands. */
  hex(value: number, at: number): void;
  text(text: string, at: number): void;
  binary(bytes: Uint8Array, at: number): void;
}

const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const maximalWord = 250;

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1');
}

/** Behind the backslash; the place behind the control. */
function readControl(bytes: Uint8Array, at: number, events: RtfEvents): number {
  const first = bytes[at] ?? 0;
  if (first === 0x27) {
    const high = hexDigit(bytes[at + 1] ?? 0);
    const low = hexDigit(bytes[at + 2] ?? 0);
    if (high < 0 || low < 0) return at + 1;
    events.hex(high * 16 + low, at - 1);
    return at + 3;
  }
  if (!isLetter(first)) {
    if (first === backslash || first === openBrace || first === closeBrace) events.text(String.fromCharCode(first), at);
    else events.control(String.fromCharCode(first), null, at - 1);
    return at + 1;
  }
  let end = at;
  while (end < bytes.length && isLetter(bytes[end] ?? 0) && end - at < maximalWord) end += 1;
  const word = ascii(bytes, at, end).toLowerCase();
  let digits = end;
  if (bytes[digits] === 0x2d) digits += 1;
  while (digits < bytes.length && isDigit(bytes[digits] ?? 0) && digits - end < maximalWord) digits += 1;
  const number = digits > end ? Number.parseInt(ascii(bytes, end, digits), 10) : Number.NaN;
  const next = bytes[digits] === 0x20 ? digits + 1 : digits;
  if (word === 'bin') {
    const length = Math.min(Math.max(number || 0, 0), bytes.length - next);
    events.binary(bytes.subarray(next, next + length), next);
    return next + length;
  }
  events.control(word, Number.isNaN(number) ? null : number, at - 1);
  return next;
}

export function tokeniseRtf(bytes: Uint8Array, events: RtfEvents, tick: () => void): void {
  let steps = 0;
  for (let at = 0; at < bytes.length; ) {
    if (++steps % 4096 === 0) tick();
    const code = bytes[at] ?? 0;
    if (code === openBrace) events.open(at++);
    else if (code === closeBrace) events.close(at++);
    else if (code === backslash) at = readControl(bytes, at + 1, events);
    else {
      let end = at;
      while (end < bytes.length && end - at < 65_536) {
        const next = bytes[end];
        if (next === backslash || next === openBrace || next === closeBrace) break;
        end += 1;
      }
      events.text(ascii(bytes, at, end), at);
      at = end;
    }
  }
}
