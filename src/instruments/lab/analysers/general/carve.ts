import type { KindId } from '../../kinds.ts';
import { findWord, hasWord, u8, u16, u32 } from '../../recognise/bytes.ts';
import { peSize } from './pe-size.ts';

/** Files that can be told by their first bytes inside of others, and where they end. */

export interface Form {
  readonly kind: KindId;
  readonly word: string;
  /** The length of what begins at `at`; 0 when it is none after all. */
  readonly size: (bytes: Uint8Array, at: number) => number;
}

const rest = (bytes: Uint8Array, at: number): number => bytes.length - at;

function elfSize(bytes: Uint8Array, at: number): number {
  const [width, order, version] = [u8(bytes, at + 4), u8(bytes, at + 5), u8(bytes, at + 6)];
  if ((width !== 1 && width !== 2) || (order !== 1 && order !== 2) || version !== 1) return 0;
  if (order === 2) return rest(bytes, at);
  const isWide = width === 2;
  const table = u32(bytes, at + (isWide ? 40 : 32));
  const end = table + u16(bytes, at + (isWide ? 58 : 46)) * u16(bytes, at + (isWide ? 60 : 48));
  return end > 64 && end <= rest(bytes, at) ? end : rest(bytes, at);
}

function upTo(word: string, extra: number) {
  return (bytes: Uint8Array, at: number): number => {
    const end = findWord(bytes, word, at);
    return end === -1 ? rest(bytes, at) : Math.min(end + word.length + extra - at, rest(bytes, at));
  };
}

function zipSize(bytes: Uint8Array, at: number): number {
  if (u16(bytes, at + 4) > 0x3ff || u16(bytes, at + 26) < 1 || u16(bytes, at + 26) > 1024) return 0;
  return upTo('PK\x05\x06', 18)(bytes, at);
}

function gzipSize(bytes: Uint8Array, at: number): number {
  const [flags, extra, system] = [u8(bytes, at + 3), u8(bytes, at + 8), u8(bytes, at + 9)];
  const isPlain = flags < 0x20 && [0, 2, 4].includes(extra) && (system < 14 || system === 255);
  return isPlain ? rest(bytes, at) : 0;
}

function cabSize(bytes: Uint8Array, at: number): number {
  const size = u32(bytes, at + 8);
  return u32(bytes, at + 4) === 0 && size > 36 && size <= rest(bytes, at) ? size : 0;
}

function machoSize(bytes: Uint8Array, at: number): number {
  const [type, commands] = [u32(bytes, at + 12), u32(bytes, at + 16)];
  return type > 0 && type < 13 && commands > 0 && commands < 1000 ? rest(bytes, at) : 0;
}

function wasmSize(bytes: Uint8Array, at: number): number {
  return u32(bytes, at + 4) === 1 ? rest(bytes, at) : 0;
}

export const forms: readonly Form[] = [
  { kind: 'pe', word: 'MZ', size: peSize },
  { kind: 'elf', word: '\x7fELF', size: elfSize },
  { kind: 'macho', word: '\xcf\xfa\xed\xfe', size: machoSize },
  { kind: 'pdf', word: '%PDF-', size: upTo('%%EOF', 0) },
  { kind: 'zip', word: 'PK\x03\x04', size: zipSize },
  { kind: 'ole2', word: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', size: rest },
  { kind: 'rtf', word: '{\\rtf1', size: rest },
  { kind: '7z', word: "7z\xbc\xaf'\x1c", size: rest },
  { kind: 'rar', word: 'Rar!\x1a\x07', size: rest },
  { kind: 'cab', word: 'MSCF', size: cabSize },
  { kind: 'gzip', word: '\x1f\x8b\x08', size: gzipSize },
  { kind: 'lnk', word: 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0', size: rest },
  { kind: 'dex', word: 'dex\n03', size: rest },
  { kind: 'wasm', word: '\0asm', size: wasmSize },
  { kind: 'autoit', word: '\xa3HK\xbe\x98lJ\xa9\x99LS\n\x86\xd6H}', size: rest },
];

export interface Carved {
  readonly kind: KindId;
  readonly offset: number;
  readonly size: number;
}

const mostCandidates = 20_000;

/** All places behind the first byte where a file of one form begins. */
function findForm(bytes: Uint8Array, form: Form, most: number, tick: () => void): readonly Carved[] {
  const found: Carved[] = [];
  let candidates = 0;
  for (let at = findWord(bytes, form.word, 1); at !== -1 && found.length < most; ) {
    candidates += 1;
    if ((candidates & 63) === 0) tick();
    if (candidates > mostCandidates) break;
    const size = hasWord(bytes, form.word, at) ? form.size(bytes, at) : 0;
    if (size > 0) found.push({ kind: form.kind, offset: at, size });
    at = findWord(bytes, form.word, size > 0 ? at + Math.max(size, 1) : at + 1);
  }
  return found;
}

export function carve(bytes: Uint8Array, most: number, tick: () => void): readonly Carved[] {
  return forms
    .flatMap((form) => findForm(bytes, form, most, tick))
    .toSorted((left, right) => left.offset - right.offset)
    .slice(0, most);
}
