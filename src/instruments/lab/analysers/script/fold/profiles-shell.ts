import {
  bestText,
  fromBase64,
  fromHex,
  inflateGzip,
  inflateRaw,
  inflateZlib,
  reversed,
  rot13,
  utf8,
  utf16,
} from '../decoders.ts';
import { character, characters, joining, onText, replacing, reversing, splitting } from './common.ts';
import type { FoldFunction, Profile } from './profile.ts';
import { cQuote, hereString, powershellQuote, pythonQuote } from './quotes.ts';
import { type Constant, charactersOf, codesFrom, textFrom } from './token.ts';

const integers = (constant: Constant): number[] => {
  if (constant.kind !== 'list') return constant.kind === 'number' ? [constant.value] : [Number(constant.value)];
  return constant.items.map((item) => Number(String(item).trim()));
};

/** `| % { [char]$_ }`, with a number that each is mixed with. */
const toCharacters: FoldFunction = {
  run: ([list, key]) => {
    if (list === undefined) return undefined;
    const mix = key?.kind === 'number' ? key.value : 0;
    return charactersOf(integers(list).map((code) => code ^ mix));
  },
  decodes: 'character codes',
};

const format: FoldFunction = {
  run: ([pattern, ...values]) => {
    const flat = values.flatMap((value) => (value.kind === 'list' ? value.items : [value.value]));
    const text = pattern === undefined ? '' : textFrom(pattern);
    if (!/\{\d{1,4}\}/.test(text)) return undefined;
    return text.replaceAll(/\{(\d{1,4})\}/g, (all, index: string) => String(flat[Number(index)] ?? all));
  },
};

const psReplace: FoldFunction = {
  run: ([subject, from, to]) => {
    if (subject === undefined || from === undefined) return undefined;
    // A pattern of plain characters is the same as the text; others are left alone.
    const plain = textFrom(from).replaceAll(/\\([\W_])/g, '$1');
    if (/[.*+?()[\]{}|^$]/.test(textFrom(from).replaceAll(/\\[\W_]/g, ''))) return undefined;
    return replacing(true).run([
      subject,
      { kind: 'text', value: plain, before: '' },
      ...(to === undefined ? [] : [to]),
    ]);
  },
};

const psJoin: FoldFunction = {
  run: ([list, by]) => {
    if (list === undefined) return undefined;
    if (list.kind !== 'list') return textFrom(list);
    return joining.run([list, by ?? { kind: 'text', value: '', before: '' }]);
  },
};

const charCast: FoldFunction = {
  run: (values) => (values.length === 1 && values[0]?.kind !== 'list' ? characters.run(values) : charList.run(values)),
};
const charList: FoldFunction = {
  run: ([value]) => {
    if (value === undefined) return undefined;
    if (value.kind === 'text') return Array.from(value.value);
    const text = charactersOf(codesFrom(value));
    return text === undefined ? undefined : Array.from(text);
  },
};
const bytesCast: FoldFunction = {
  run: ([value]) => (value?.kind === 'list' ? charactersOf(integers(value).map((code) => code & 255)) : undefined),
};

export const powershell: Profile = {
  comment: /#[^\n]*|<#[^#]*(?:#(?!>)[^#]*)*#>|`\r?\n/y,
  quoteStart: /^(?:["']|@["'])/,
  quote: (text, at) => (text[at] === '@' ? hereString(text, at) : powershellQuote(text, at)),
  multiline: '"\'@',
  wide: (text, at) => (text[at] === '@' ? (text[at + 1] ?? '') : ''),
  word: /\|\s{0,20}(?:%|foreach(?:-object)?)\s{0,20}\{[\s(]{0,20}\[char\][\s(]{0,20}(?:\[\w{1,10}\][\s(]{0,20})?\$_[\s)]{0,20}(?:-bxor\s{0,20}(?:0x[\da-f]{1,4}|\d{1,5})[\s)]{0,20})?\}|\[[A-Za-z][\w.]{0,80}(?:\[\])?\](?:::[A-Za-z]\w{0,60}(?:\.\w{1,60}){0,4})?|-[A-Za-z]\w*|\.?\$?[A-Za-z_][\w:`-]*(?:\.[A-Za-z_]\w*)*|\$\{[^}\n]{1,80}\}|\$[?^$]/iy,
  patterns: false,
  ignoreCase: true,
  joins: new Set(['+']),
  assigns: new Set(['=']),
  variable: /^\$(?:\w|:)+$|^\$\{/,
  functions: {
    '[convert]::frombase64string': onText(fromBase64, 'base64'),
    '[system.convert]::frombase64string': onText(fromBase64, 'base64'),
    ...Object.fromEntries(
      ['text.encoding', 'system.text.encoding'].flatMap((name) => [
        [`[${name}]::unicode.getstring`, onText(utf16, 'UTF-16')],
        [`[${name}]::utf8.getstring`, onText(utf8, 'UTF-8')],
        [`[${name}]::ascii.getstring`, onText((text: string) => text, 'ASCII')],
        [`[${name}]::default.getstring`, onText((text: string) => text, 'text')],
      ]),
    ),
    '[string]::join': {
      run: ([by, list]) => (by === undefined || list === undefined ? undefined : joining.run([list, by])),
    },
    '[string]::concat': { run: (values) => values.map(textFrom).join('') },
    '[char]': character,
    '[regex]::replace': {
      run: ([text, from, to]) => psReplace.run([text, from, to].filter((one) => one !== undefined)),
    },
  },
  methods: {
    replace: replacing(true),
    split: splitting,
    tochararray: charList,
    tostring: { run: ([value]) => (value === undefined || value.kind === 'list' ? undefined : textFrom(value)) },
    tolower: onText((text) => text.toLowerCase()),
    toupper: onText((text) => text.toUpperCase()),
    substring: {
      run: ([text, from, length]) =>
        text?.kind === 'text' && from?.kind === 'number'
          ? text.value.substr(from.value, length?.kind === 'number' ? length.value : undefined)
          : undefined,
    },
    trim: onText((text) => text.trim()),
  },
  operators: {
    '-join': psJoin,
    '-f': format,
    '-replace': psReplace,
    '-creplace': psReplace,
    '-ireplace': psReplace,
    '-split': {
      run: ([subject, by]) =>
        subject === undefined || by === undefined || /[.*+?()[\]{}|^$]/.test(textFrom(by))
          ? undefined
          : splitting.run([subject, by]),
    },
    '[char]': charCast,
    '[char[]]': charList,
    '[byte[]]': bytesCast,
    '[string]': { run: ([value]) => (value === undefined || value.kind === 'list' ? undefined : textFrom(value)) },
    '[int]': onText((text) => Number(text)),
    '-tochars': toCharacters,
  },
  runners: new Set(['iex', 'invoke-expression', '[scriptblock]::create']),
  write: (value) => `'${value.replaceAll("'", "''")}'`,
};

const decodeCodec: FoldFunction = {
  run: ([text, codec]) => {
    if (text === undefined || codec === undefined) return undefined;
    const name = textFrom(codec).replaceAll(/[_-]/g, '').toLowerCase();
    const value = textFrom(text);
    if (name === 'rot13') return rot13(value);
    if (name === 'hex' || name === 'hexcodec') return fromHex(value);
    return name === 'base64' || name === 'base64codec' ? fromBase64(value) : undefined;
  },
  decodes: 'codec',
};

export const python: Profile = {
  comment: /#[^\n]*|\\\r?\n/y,
  quoteStart: /^[rRbBuUfF]{0,2}['"]/,
  quote: pythonQuote,
  multiline: '',
  word: /\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y,
  patterns: false,
  ignoreCase: false,
  joins: new Set(['+']),
  assigns: new Set(['=']),
  variable: /^[A-Za-z_]\w*$/,
  functions: {
    ...Object.fromEntries(
      ['base64.b64decode', 'b64decode', 'base64.decodebytes', 'base64.urlsafe_b64decode'].map((name) => [
        name,
        onText(fromBase64, 'base64'),
      ]),
    ),
    'base64.b16decode': onText(fromHex, 'hexadecimal'),
    'bytes.fromhex': onText(fromHex, 'hexadecimal'),
    'binascii.unhexlify': onText(fromHex, 'hexadecimal'),
    'binascii.a2b_base64': onText(fromBase64, 'base64'),
    'zlib.decompress': onText(inflateZlib, 'zlib'),
    'gzip.decompress': onText(inflateGzip, 'gzip'),
    'codecs.decode': decodeCodec,
    chr: character,
    bytes: {
      run: ([list]) => (list?.kind === 'list' ? charactersOf(codesFrom(list)) : undefined),
      decodes: 'byte list',
    },
    bytearray: {
      run: ([list]) => (list?.kind === 'list' ? charactersOf(codesFrom(list)) : undefined),
      decodes: 'byte list',
    },
    str: onText((text) => text),
    int: {
      run: ([text, base]) =>
        text === undefined ? undefined : Number.parseInt(textFrom(text), base?.kind === 'number' ? base.value : 10),
    },
  },
  methods: {
    decode: {
      run: ([text, codec]) =>
        text === undefined
          ? undefined
          : codec === undefined
            ? bestText(textFrom(text))
            : (decodeCodec.run([text, codec]) ?? bestText(textFrom(text))),
    },
    encode: onText((text) => text),
    join: { run: ([by, list]) => (by === undefined || list === undefined ? undefined : joining.run([list, by])) },
    replace: replacing(true),
    split: splitting,
    strip: onText((text) => text.trim()),
  },
  operators: {},
  runners: new Set(['exec', 'eval', 'compile', 'os.system']),
  write: (value) => JSON.stringify(value),
};

export const perl: Profile = {
  comment: /#[^\n]*/y,
  quoteStart: /^["']/,
  quote: (text, at) => cQuote(text, at, true),
  multiline: '"\'',
  word: /[$@%]?[A-Za-z_]\w*(?:::\w+)*/y,
  patterns: false,
  ignoreCase: false,
  joins: new Set(['.']),
  assigns: new Set(['=']),
  variable: /^\$\w+$/,
  functions: {
    chr: character,
    decode_base64: onText(fromBase64, 'base64'),
    reverse: reversing,
    'MIME::Base64::decode': onText(fromBase64, 'base64'),
    pack: {
      run: ([form, text]) =>
        form !== undefined && text !== undefined && /^H/.test(textFrom(form)) ? fromHex(textFrom(text)) : undefined,
      decodes: 'hexadecimal',
    },
    uncompress: onText(inflateZlib, 'zlib'),
    inflate: onText(inflateRaw, 'deflate'),
    scalar: onText(reversed),
  },
  methods: {},
  operators: {},
  runners: new Set(['eval', 'system', 'exec']),
  write: (value) => JSON.stringify(value),
};
