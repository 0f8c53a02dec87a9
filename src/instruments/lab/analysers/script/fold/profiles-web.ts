import { fromBase64, fromHex, fromPercent, inflateRaw, inflateZlib, reversed, rot13 } from '../decoders.ts';
import { character, characters, joining, onText, replacing, reversing, slice, splitting } from './common.ts';
import type { FoldFunction, Profile } from './profile.ts';
import { cQuote, doubledQuote } from './quotes.ts';
import { textFrom } from './token.ts';

const plainText: FoldFunction = {
  run: ([value]) => (value === undefined || value.kind === 'list' ? undefined : textFrom(value)),
};

const javascriptQuote: Profile['quote'] = (text, at) => {
  const read = cQuote(text, at, text[at] === '`');
  return read !== undefined && text[at] === '`' && read.value.includes('${') ? { ...read, dynamic: true } : read;
};

export const javascript: Profile = {
  comment: /\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y,
  quoteStart: /^["'`]/,
  quote: javascriptQuote,
  multiline: '`',
  word: /\.?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/y,
  patterns: true,
  ignoreCase: false,
  joins: new Set(['+']),
  assigns: new Set(['=']),
  variable: /^[A-Za-z_$][\w$]*$/,
  functions: {
    unescape: onText(fromPercent, 'unescape'),
    decodeURIComponent: onText(fromPercent, 'decodeURIComponent'),
    decodeURI: onText(fromPercent, 'decodeURI'),
    atob: onText(fromBase64, 'base64'),
    'window.atob': onText(fromBase64, 'base64'),
    'Buffer.from': {
      run: ([text, form]) => {
        if (text === undefined || form === undefined) return undefined;
        if (text.kind === 'list') return undefined;
        return textFrom(form) === 'base64'
          ? fromBase64(textFrom(text))
          : textFrom(form) === 'hex'
            ? fromHex(textFrom(text))
            : undefined;
      },
      decodes: 'Buffer.from',
    },
    'String.fromCharCode': characters,
    'String.fromCodePoint': characters,
    parseInt: {
      run: ([text, base]) =>
        text === undefined ? undefined : Number.parseInt(textFrom(text), base?.kind === 'number' ? base.value : 10),
    },
    Number: onText((text) => Number(text)),
    String: onText((text) => text),
  },
  methods: {
    split: {
      run: ([subject, by]) =>
        by === undefined ? undefined : splitting.run([subject, by].filter((one) => one !== undefined)),
    },
    reverse: reversing,
    join: joining,
    replace: replacing(false),
    replaceAll: replacing(true),
    concat: {
      run: (values) => (values.some(({ kind }) => kind === 'list') ? undefined : values.map(textFrom).join('')),
    },
    charAt: slice((text, from) => text.charAt(from)),
    charCodeAt: {
      run: ([text, at]) =>
        text?.kind === 'text' && at?.kind === 'number' ? text.value.charCodeAt(at.value) : undefined,
    },
    substr: slice((text, from, length) => text.substr(from, length)),
    substring: slice((text, from, to) => text.substring(from, to)),
    slice: slice((text, from, to) => text.slice(from, to)),
    toLowerCase: onText((text) => text.toLowerCase()),
    toUpperCase: onText((text) => text.toUpperCase()),
    toString: plainText,
    trim: onText((text) => text.trim()),
  },
  operators: {},
  runners: new Set([
    'eval',
    'window.eval',
    'Function',
    'execScript',
    'setTimeout',
    'setInterval',
    'document.write',
    'document.writeln',
  ]),
  write: (value) => JSON.stringify(value),
};

export const php: Profile = {
  comment: /\/\/[^\n]*|#[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y,
  quoteStart: /^["']/,
  quote(text, at) {
    const read = cQuote(text, at, true);
    return read !== undefined && text[at] === '"' && /\$[A-Za-z_{]/.test(read.value)
      ? { ...read, dynamic: true }
      : read;
  },
  multiline: '"\'',
  word: /\$?[A-Za-z_]\w*(?:(?:->|::)[A-Za-z_]\w*)*/y,
  patterns: false,
  ignoreCase: false,
  joins: new Set(['.']),
  assigns: new Set(['=']),
  variable: /^\$\w+$/,
  functions: {
    base64_decode: onText(fromBase64, 'base64'),
    gzinflate: onText(inflateRaw, 'deflate'),
    gzuncompress: onText(inflateZlib, 'zlib'),
    str_rot13: onText(rot13, 'rot13'),
    strrev: onText(reversed),
    hex2bin: onText(fromHex, 'hexadecimal'),
    urldecode: onText(fromPercent, 'percent'),
    rawurldecode: onText(fromPercent, 'percent'),
    chr: character,
    pack: {
      run: ([form, text]) =>
        form !== undefined && text !== undefined && /^H/.test(textFrom(form)) ? fromHex(textFrom(text)) : undefined,
      decodes: 'hexadecimal',
    },
    str_replace: {
      run: ([from, to, subject]) =>
        subject === undefined || from === undefined
          ? undefined
          : replacing(true).run([subject, from, ...(to === undefined ? [] : [to])]),
    },
    implode: { run: ([by, list]) => (list === undefined || by === undefined ? undefined : joining.run([list, by])) },
  },
  methods: {},
  operators: {},
  runners: new Set(['eval', 'assert', 'create_function', 'system', 'exec', 'shell_exec', 'passthru']),
  write: (value) => JSON.stringify(value),
};

export const vbscript: Profile = {
  comment: /'[^\n]*|\bREM\b[^\n]*|_[ \t]*\r?\n/iy,
  quoteStart: /^"/,
  quote: (text, at) => doubledQuote(text, at, false),
  multiline: '',
  word: /\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\$?/y,
  number: /&[hH][0-9a-fA-F]{1,8}&?|\d{1,15}(?:\.\d{1,15})?/y,
  patterns: false,
  ignoreCase: true,
  joins: new Set(['&', '+']),
  assigns: new Set(['=']),
  variable: /^[A-Za-z_]\w*$/,
  functions: {
    chr: character,
    chrw: character,
    chr$: character,
    chrb: character,
    asc: onText((text) => text.charCodeAt(0)),
    strreverse: onText(reversed),
    replace: replacing(true),
    lcase: onText((text) => text.toLowerCase()),
    ucase: onText((text) => text.toUpperCase()),
    trim: onText((text) => text.trim()),
    cstr: onText((text) => text),
    clng: onText((text) => Number(text.replace(/^&h/i, '0x').replace(/&$/, ''))),
    cint: onText((text) => Number(text.replace(/^&h/i, '0x').replace(/&$/, ''))),
    unescape: onText(fromPercent, 'unescape'),
    mid: slice((text, from, length) => text.substr(Math.max(0, from - 1), length)),
    left: slice((text, length) => text.slice(0, Math.max(0, length))),
    right: slice((text, length) => (length <= 0 ? '' : text.slice(-length))),
    split: splitting,
    join: {
      run: ([list, by]) =>
        list === undefined
          ? undefined
          : joining.run(by === undefined ? [list, { kind: 'text', value: ' ', before: '' }] : [list, by]),
    },
    array: { run: (values) => values.flatMap((value) => (value.kind === 'list' ? value.items : [value.value])) },
  },
  methods: {},
  operators: {},
  runners: new Set(['execute', 'executeglobal', 'eval', 'document.write']),
  write: (value) => `"${value.replaceAll('"', '""')}"`,
};
