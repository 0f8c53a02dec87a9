import { normaliseText } from '../../base/normalise.ts';

/** The forms in which a text can say the same: as written, in look-alike letters, or encoded. */

export interface TextForm {
  /** `plain`, or how it was hidden. */
  readonly how: string;
  readonly text: string;
}

/** Letters of other scripts for the Latin ones they look like. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  [...'аạàвсԁеһіјкӏмноорԛѕтуѵԝхАВСЕНІЈКМОРЅТХУαβεηικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧաոսօհ'].map((letter, index) => [
    letter,
    [...'aaabcdehijklmhoopqstyvwxABCEHIJKMOPSTXYabeniknoptuxABEZHIKMNOPTYXunsoh'][index] ?? letter,
  ]),
);

export function latinForm(text: string): string {
  let out = '';
  for (const character of text) out += lookAlikes.get(character) ?? character;
  return out;
}

const abbreviations = /\b(?:e\.g|i\.e|etc|vs|approx|incl)\.(?=\s)/gi;

/** Lower case, one sentence per line, blanks collapsed, one kind of quotes. Patterns are written for this. */
export function sentencesOf(text: string): string {
  return (
    text
      .replace(/[\u2018\u2019\u201a\u02bc]/g, "'")
      .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
      .replace(/[*_]{2,}/g, '')
      .replace(abbreviations, (found) => found.replaceAll('.', '\u2024'))
      .replace(/(?<=[.!?])["')\]]*\s+|;\s+|\n\s*\n|\n\s*(?=[-*•#]|\d+[.)])|[。！？]/g, '\u0000')
      .replace(/\s+/g, ' ')
      // No word is this long, and patterns try every place in one.
      .replace(/(?<![^\s\u0000])[^\s\u0000]{400,}/g, (word) => word.slice(0, 400))
      .replace(/ ?\u0000+ ?/g, '\n')
      .replaceAll('\u2024', '.')
      .toLowerCase()
  );
}

/** `contentOf_home-file` -> `content of home file` */
export function wordsOfName(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-./:]+/g, ' ');
}

const isReadable = (text: string): boolean => {
  const printable = text.replace(/[^\t\n\r -~\u00a0-\uffff]/g, '').length;
  return text.length >= 12 && printable / text.length > 0.95 && /[a-z]{3}/i.test(text);
};

function decodeTags(text: string): string {
  let out = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xe0020 && code <= 0xe007e) out += String.fromCharCode(code - 0xe0000);
  }
  return out;
}

/** Variation selectors carry bytes: the first sixteen in one block, the rest in another. */
function decodeSelectors(text: string): string {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xfe00 && code <= 0xfe0f) bytes.push(code - 0xfe00);
    else if (code >= 0xe0100 && code <= 0xe01ef) bytes.push(code - 0xe0100 + 16);
  }
  return bytes.length < 12 ? '' : Buffer.from(bytes).toString('utf8');
}

const mostPieces = 50;

function decodePieces(text: string, pattern: RegExp, decode: (piece: string) => string): string {
  const decoded: string[] = [];
  for (const [piece] of text.matchAll(pattern)) {
    if (decoded.length >= mostPieces) break;
    const plain = decode(piece);
    if (isReadable(plain)) decoded.push(plain);
  }
  return decoded.join('\n\n');
}

function decodePercent(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return '';
  }
}

const isLetter = /[A-Za-z]/;
const rotated = Uint16Array.from({ length: 128 }, (_, code) => {
  if (!isLetter.test(String.fromCharCode(code))) return code;
  const base = code < 97 ? 65 : 97;
  return ((code - base + 13) % 26) + base;
});

function eachUnit(text: string, change: (from: Uint16Array, to: Uint16Array) => void): string {
  const from = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) from[at] = text.charCodeAt(at);
  const to = new Uint16Array(text.length);
  change(from, to);
  return Buffer.from(to.buffer).toString('utf16le');
}

function rotate(text: string): string {
  return eachUnit(text, (from, to) => {
    for (let at = 0; at < from.length; at += 1) {
      const code = from[at] as number;
      to[at] = code < 128 ? (rotated[code] as number) : code;
    }
  });
}

/** Pairs that are one character stay in order. */
function backwards(text: string): string {
  return eachUnit(text, (from, to) => {
    for (let at = 0; at < from.length; at += 1) {
      const code = from[at] as number;
      const isPair = (code & 0xfc00) === 0xd800 && ((from[at + 1] ?? 0) & 0xfc00) === 0xdc00;
      to[from.length - 1 - at - (isPair ? 1 : 0)] = code;
      if (!isPair) continue;
      to[from.length - 1 - at] = from[at + 1] as number;
      at += 1;
    }
  });
}

const entityCode = (digits: string, radix: number): string => {
  const code = Number.parseInt(digits, radix);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/** Letters that stand apart: `D o  n o t` keeps its words by the wider gaps. */
function closeGaps(text: string): string {
  return text.replace(/(?:\b\w\b[ .\-_]{1,3}){7,}\b\w\b/g, (run) =>
    run
      .split(/[ .\-_]{2,}/)
      .map((word) => word.replace(/[ .\-_]/g, ''))
      .join(' '),
  );
}

const decoders: readonly { readonly how: string; readonly decode: (text: string) => string }[] = [
  { how: 'in invisible tag characters', decode: decodeTags },
  { how: 'in variation selectors', decode: decodeSelectors },
  {
    how: 'in base64',
    decode: (text) =>
      decodePieces(text, /[A-Za-z0-9+/_-]{24,}={0,2}/g, (piece) => Buffer.from(piece, 'base64').toString('utf8')),
  },
  {
    how: 'in hexadecimal',
    decode: (text) =>
      decodePieces(text, /(?:[0-9a-f]{2}[ :]?){20,}/gi, (piece) =>
        Buffer.from(piece.replace(/[ :]/g, ''), 'hex').toString('utf8'),
      ),
  },
  {
    how: 'in percent encoding',
    decode: (text) => decodePieces(text, /(?:(?:%[0-9a-f]{2})+[\w.+~-]*){4,}/gi, decodePercent),
  },
  {
    how: 'in character references',
    decode: (text) =>
      /(?:&#x?[0-9a-f]{2,6};){4}/i.test(text)
        ? text
            .replace(/&#(\d{2,7});/g, (_, digits: string) => entityCode(digits, 10))
            .replace(/&#x([0-9a-f]{2,6});/gi, (_, digits: string) => entityCode(digits, 16))
        : '',
  },
  {
    how: 'in escapes',
    decode: (text) =>
      /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}){4}/i.test(text)
        ? text.replace(
            /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi,
            (_, four: string | undefined, two: string | undefined) => entityCode(four ?? two ?? '', 16),
          )
        : '',
  },
  { how: 'in letters set apart', decode: (text) => (closeGaps(text) === text ? '' : closeGaps(text)) },
  { how: 'in ROT13', decode: rotate },
  { how: 'backwards', decode: backwards },
];

/** The plain form first. What a decoder gives is a form only when it differs from what stands there. */
export function formsOf(given: string): readonly TextForm[] {
  const normal = normaliseText(given).text;
  const forms: TextForm[] = [{ how: 'plain', text: normal }];
  const latin = latinForm(normal);
  if (latin !== normal) forms.push({ how: 'in letters of another script', text: latin });
  for (const { how, decode } of decoders) {
    const text = decode(how.startsWith('in invisible') || how.startsWith('in variation') ? given : normal);
    if (text !== '' && text !== normal) forms.push({ how, text: normaliseText(text).text });
  }
  return forms;
}
