/** Runs of printable characters in the encodings that programs keep their texts in. One pass each, linear. */

export type StringEncoding = 'ascii' | 'utf-8' | 'utf-16le' | 'utf-16be';

export interface FoundString {
  readonly offset: number;
  readonly encoding: StringEncoding;
  readonly text: string;
}

export interface StringLimits {
  readonly least: number;
  readonly most: number;
  readonly mostCharacters: number;
  readonly longest: number;
}

export const usualLimits: StringLimits = { least: 5, most: 100_000, mostCharacters: 8 * 1024 * 1024, longest: 65_536 };

const isPlain = (byte: number | undefined): boolean => byte !== undefined && ((byte >= 32 && byte < 127) || byte === 9);

/** How many bytes a well-formed character of several bytes has at this place; 0 when there is none. */
function manyByteCharacter(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let index = 1; index < length; index += 1) {
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function wideRun(bytes: Uint8Array, at: number, textAt: 0 | 1): number {
  let length = 0;
  while (isPlain(bytes[at + length * 2 + textAt]) && bytes[at + length * 2 + 1 - textAt] === 0) length += 1;
  return length;
}

function decode(bytes: Uint8Array, from: number, to: number, encoding: 'latin1' | 'utf8' | 'utf16le'): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString(encoding);
}

export interface StringSearch {
  readonly strings: readonly FoundString[];
  readonly isCut: boolean;
}

type Add = (offset: number, encoding: StringEncoding, text: string) => boolean;

function findNarrow(bytes: Uint8Array, least: number, longest: number, tick: () => void, add: Add): void {
  let begin = 0;
  let characters = 0;
  let many = 0;
  const close = (end: number): boolean => {
    // High bytes that happen to be well-formed are common in code; real text is mostly letters.
    const encoding = many > 0 ? 'utf-8' : 'ascii';
    if (characters < least) return true;
    const text = decode(bytes, begin, Math.min(end, begin + longest), many > 0 ? 'utf8' : 'latin1');
    if (many > 0 && (text.match(/[\p{L}\p{N} ]/gu)?.length ?? 0) < characters * 0.7) return true;
    return add(begin, encoding, text);
  };
  for (let at = 0; at < bytes.length; ) {
    if ((characters & 0xfff) === 0) tick();
    const length = isPlain(bytes[at]) ? 1 : manyByteCharacter(bytes, at);
    if (length > 0) {
      if (characters === 0) begin = at;
      if (length > 1) many += 1;
      characters += 1;
      at += length;
      continue;
    }
    if (characters > 0 && !close(at)) return;
    characters = 0;
    many = 0;
    at += 1;
  }
  if (characters > 0) close(bytes.length);
}

function findWide(bytes: Uint8Array, least: number, longest: number, tick: () => void, add: Add): void {
  for (let at = 0; at + 1 < bytes.length; ) {
    if ((at & 0xfff) < 2) tick();
    // The last character of a narrow string and the zero behind it are no wide character.
    if (at > 0 && isPlain(bytes[at - 1])) {
      at += 1;
      continue;
    }
    const little = wideRun(bytes, at, 0);
    const big = little === 0 ? wideRun(bytes, at, 1) : 0;
    // The same bytes can be read both ways, one apart; then the reading that begins at an even place is meant.
    const isBig = big >= least && (at % 2 === 0 || wideRun(bytes, at + 1, 0) < big);
    const length = isBig ? big : little;
    if (length < least) {
      at += 1;
      continue;
    }
    const from = isBig ? at + 1 : at;
    const room = Math.min(length * 2, bytes.length - from, longest * 2);
    const text = decode(bytes, from, from + (room & ~1), 'utf16le');
    const whole = isBig
      ? decode(bytes, at, at + length * 2, 'latin1')
          .replaceAll('\0', '')
          .slice(0, longest)
      : text;
    if (!add(at, isBig ? 'utf-16be' : 'utf-16le', whole)) return;
    at += length * 2;
  }
}

export function findStrings(bytes: Uint8Array, tick: () => void, limits: StringLimits = usualLimits): StringSearch {
  const strings: FoundString[] = [];
  let room = limits.mostCharacters;
  let isCut = false;
  const add: Add = (offset, encoding, text) => {
    if (strings.length >= limits.most || room < text.length) {
      isCut = true;
      return false;
    }
    strings.push({ offset, encoding, text });
    room -= text.length;
    return true;
  };
  findWide(bytes, limits.least, limits.longest, tick, add);
  findNarrow(bytes, limits.least, limits.longest, tick, add);
  return { strings: strings.toSorted((left, right) => left.offset - right.offset), isCut };
}
