import { alphabets } from '../random.ts';
import type { Encoding } from './patterns.ts';

/** Ways of writing bytes with few characters. A long run of only those characters may be such a text. */
export interface RunKind {
  readonly encoding: Encoding;
  /** By byte: 1 for a digit, 2 for what may stand between digits, 0 for what ends the run. */
  readonly member: Uint8Array;
  /** Fewer digits cannot hold a needle. */
  readonly shortest: number;
  /** Digits per group; a run may begin with others of the alphabet, so a group may begin at any of so many digits. */
  readonly group: number;
  decode(digits: Buffer): Buffer;
  /** Whether these digits are worth decoding. */
  isPlausible(digits: Buffer): boolean;
}

function membership(digits: string, between = ''): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of between) table[character.charCodeAt(0)] = 2;
  for (const character of digits) table[character.charCodeAt(0)] = 1;
  return table;
}

const classes = ['[A-Z]', '[a-z]', '[0-9]', '[+/_-]'].map((shape) => new RegExp(shape));
const classOf = Uint8Array.from({ length: 256 }, (_, byte) =>
  classes.findIndex((shape) => shape.test(String.fromCharCode(byte))),
);
const numeral = 2;
const isBeyondHex = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 0 : 1,
);
const windowDigits = 22;
const fewChanges = 6;
const manyChanges = 12;

/**
 * Words, paths and hex numbers are runs of base64 digits too. In base64 upper case, lower case and numerals change all
 * the time, about 13 times in 22 digits, and a numeral is never far; names have few changes or no numerals, and hex has
 * nothing beyond f.
 */
function looksLikeBase64(digits: Buffer): boolean {
  let changes = 0;
  let isBeyond = false;
  let hasNumeral = classOf[digits[0] ?? 0] === numeral;
  for (let at = 1; at < digits.length; at += 1) {
    const digit = digits[at] as number;
    if (classOf[digit] !== classOf[digits[at - 1] as number]) changes += 1;
    hasNumeral ||= classOf[digit] === numeral;
    isBeyond ||= isBeyondHex[digit] === 1;
    const leaving = at - windowDigits;
    if (leaving > 0 && classOf[digits[leaving] as number] !== classOf[digits[leaving - 1] as number]) changes -= 1;
    if (isBeyond && changes >= (hasNumeral ? fewChanges : manyChanges)) return true;
  }
  return false;
}

const always = (): boolean => true;

const base32Values = Uint8Array.from({ length: 256 }, (_, byte) =>
  Math.max(0, alphabets.base32.indexOf(String.fromCharCode(byte).toUpperCase())),
);

function decodeBase32(digits: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.floor((digits.length * 5) / 8));
  let held = 0;
  let bits = 0;
  let size = 0;
  for (let at = 0; at < digits.length; at += 1) {
    held = ((held & 0xff) << 5) | (base32Values[digits[at] ?? 0] ?? 0);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[size] = (held >> bits) & 0xff;
    size += 1;
  }
  return bytes;
}

const hexDigits = `${alphabets.hex}ABCDEF`;

export const runKinds: readonly RunKind[] = [
  {
    encoding: 'base64',
    member: membership(`${alphabets.base64}-_`),
    shortest: 22,
    group: 4,
    decode: (digits) => Buffer.from(digits.toString('latin1'), 'base64'),
    isPlausible: looksLikeBase64,
  },
  {
    encoding: 'hex',
    member: membership(hexDigits, ' :-,;._|xX\\'),
    shortest: 32,
    group: 2,
    decode: (digits) => Buffer.from(digits.toString('latin1', 0, digits.length & ~1), 'hex'),
    isPlausible: always,
  },
  ...[alphabets.base32, alphabets.base32.toLowerCase()].map(
    (digits): RunKind => ({
      encoding: 'base32',
      member: membership(digits),
      shortest: 26,
      group: 8,
      decode: decodeBase32,
      isPlausible: always,
    }),
  ),
];
