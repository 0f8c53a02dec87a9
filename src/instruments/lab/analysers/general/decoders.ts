import type { Alphabet } from './find-runs.ts';

/** Ways to write bytes as text, each with its alphabet and the way back. */

export interface Decoder extends Alphabet {
  readonly title: string;
  readonly decode: (text: string) => Uint8Array | null;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const base64Characters = `${letters}${letters.toLowerCase()}${digits}`;

function decodeBase64(text: string): Uint8Array | null {
  const body = text.replace(/=+$/, '');
  if (body.includes('=') || body.length % 4 === 1) return null;
  return Buffer.from(body, 'base64');
}

function decodeBase32(text: string): Uint8Array | null {
  const body = text.replace(/=+$/, '');
  if (body.includes('=')) return null;
  const out = new Uint8Array(Math.floor((body.length * 5) / 8));
  let [bits, held, at] = [0, 0, 0];
  for (let index = 0; index < body.length; index += 1) {
    const code = body.charCodeAt(index);
    held = ((held << 5) | (code >= 65 ? code - 65 : code - 24)) & 0xffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out[at] = (held >> bits) & 255;
    at += 1;
  }
  return out;
}

/** `0x4d, 0x5a` and `\x4d\x5a` and `4d 5a`: marks are left out as long as pairs remain. */
function decodeHexList(text: string): Uint8Array | null {
  const body = text.replace(/0x|\\x|[\\x,;\s]/gi, '');
  return body.length % 2 === 0 && /^[0-9a-f]+$/i.test(body) ? Buffer.from(body, 'hex') : null;
}

function decodePercent(text: string): Uint8Array | null {
  const body = text.replaceAll('%', '');
  return text.length === (body.length / 2) * 3 && /^[0-9a-f]+$/i.test(body) ? Buffer.from(body, 'hex') : null;
}

function decodeNumbers(text: string): Uint8Array | null {
  const values = text
    .split(/[,\s]+/)
    .filter((word) => word !== '')
    .map(Number);
  if (values.length < 16 || values.some((value) => !(value >= 0 && value < 256))) return null;
  return Uint8Array.from(values);
}

/** Groups of five between `<~` and `~>`; `z` is four zeros. */
function decodeAscii85(text: string): Uint8Array | null {
  const body = /<~([!-uz]+)~?$/.exec(text.replace(/~>.*$/s, '~'))?.[1];
  if (body === undefined) return null;
  const out: number[] = [];
  let group: number[] = [];
  const flush = (): void => {
    const missing = 5 - group.length;
    const value = [...group, ...new Array<number>(missing).fill(84)].reduce((sum, one) => sum * 85 + one, 0);
    const four = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) & 255);
    out.push(...four.slice(0, 4 - missing));
    group = [];
  };
  for (const character of body) {
    if (character === 'z' && group.length === 0) out.push(0, 0, 0, 0);
    else group.push(character.charCodeAt(0) - 33);
    if (group.length === 5) flush();
  }
  if (group.length > 1) flush();
  return Uint8Array.from(out);
}

const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => index + 33));

export const decoders: readonly Decoder[] = [
  {
    id: 'base64',
    title: 'base64',
    characters: `${base64Characters}+/=`,
    between: '\r\n',
    least: 24,
    decode: decodeBase64,
  },
  {
    id: 'base64url',
    title: 'base64 for addresses',
    characters: `${base64Characters}-_`,
    between: '',
    least: 24,
    decode: decodeBase64,
  },
  { id: 'base32', title: 'base32', characters: `${letters}234567=`, between: '\r\n', least: 32, decode: decodeBase32 },
  {
    id: 'hex',
    title: 'hexadecimal',
    characters: `${digits}abcdefABCDEF`,
    between: '\r\n',
    least: 32,
    decode: decodeHexList,
  },
  {
    id: 'hex-list',
    title: 'list of hexadecimal bytes',
    characters: `${digits}abcdefABCDEFx\\,`,
    between: ' \r\n\t',
    least: 48,
    decode: decodeHexList,
  },
  {
    id: 'percent',
    title: 'percent encoding',
    characters: `${digits}abcdefABCDEF%`,
    between: '',
    least: 24,
    decode: decodePercent,
  },
  {
    id: 'numbers',
    title: 'list of numbers',
    characters: `${digits},`,
    between: ' \r\n\t',
    least: 40,
    decode: decodeNumbers,
  },
  { id: 'ascii85', title: 'ASCII85', characters: printable, between: '\r\n', least: 24, decode: decodeAscii85 },
];
