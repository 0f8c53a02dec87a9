import type { Kind } from '../contract.ts';
import { type KindId, kindTitles } from '../kinds.ts';
import type { DecodedText } from './decode-text.ts';
import { textSearchBytes } from './decode-text.ts';
import { idioms, leastPoints } from './idioms.ts';
import { recogniseMarkup } from './markup.ts';

const interpreters: readonly (readonly [RegExp, KindId])[] = [
  [/^(?:ba|da|z|k|a|c|tc|fi|r)?sh$|^busybox$/, 'shell'],
  [/^python[\d.]*$|^pypy[\d.]*$/, 'python'],
  [/^perl[\d.]*$/, 'perl'],
  [/^php[\d.]*$/, 'php'],
  [/^ruby[\d.]*$/, 'ruby'],
  [/^(?:node|nodejs|bun|deno|qjs)$/, 'javascript'],
  [/^(?:pwsh|powershell)$/, 'powershell'],
];

/** `#!/usr/bin/env -S NAME=value node --flag`: the program that would read the file. */
function recogniseShebang(text: string): KindId | null {
  if (!text.startsWith('#!')) return null;
  const words = text.slice(2, 300).split('\n')[0]?.trim().split(/\s+/) ?? [];
  const names = words.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program = names[0] === 'env' ? names.slice(1).find((word) => !/^-|=/.test(word)) : names[0];
  return interpreters.find(([pattern]) => pattern.test(program ?? ''))?.[1] ?? 'shell';
}

const mailFields =
  /^(?:from|to|cc|subject|date|message-id|received|mime-version|return-path|content-type|delivered-to|reply-to|dkim-signature|x-[\w-]{1,40})$/i;

/** A block of header fields of which several are those of mail. */
function isMail(text: string): boolean {
  const lines = text.slice(0, 65_536).split(/\r?\n/, 60);
  if (/^From \S/.test(lines[0] ?? '')) lines.shift();
  const fields = new Set<string>();
  for (const line of lines) {
    if (line === '') break;
    if (/^[ \t]/.test(line) && fields.size > 0) continue;
    const name = /^([A-Za-z][\w-]{0,60}):/.exec(line)?.[1];
    if (name === undefined) return false;
    if (mailFields.test(name)) fields.add(name.toLowerCase());
  }
  const isAddressed = fields.has('from') || fields.has('received') || fields.has('return-path') || fields.has('to');
  return fields.size >= 3 && isAddressed;
}

function isJson(text: string, isWhole: boolean): boolean {
  if (!/^\s{0,200}[{[]/.test(text)) return false;
  if (!isWhole) return /^\s{0,200}(?:\{\s{0,200}"[^"\n]{0,200}"\s{0,8}:|\[\s{0,200}[{["\d-])/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function recogniseByIdioms(text: string): KindId | null {
  const points = new Map<KindId, number>();
  for (const { kind, points: worth, pattern } of idioms) {
    if (pattern.test(text)) points.set(kind, (points.get(kind) ?? 0) + worth);
  }
  const [best] = [...points].toSorted((left, right) => right[1] - left[1]);
  return best !== undefined && best[1] >= leastPoints ? best[0] : null;
}

function recogniseTextId(text: string, isWhole: boolean): KindId {
  const start = text.slice(0, 400).trimStart();
  if (/^#@~\^[\w+/]{6}==/.test(start)) return 'vbe';
  if (/^(?:Windows Registry Editor Version 5\.00|REGEDIT4)\b/.test(start)) return 'registry';
  const shebang = recogniseShebang(text);
  if (shebang !== null) return shebang;
  if (isJson(text, isWhole)) return 'json';
  const markup = recogniseMarkup(text);
  if (markup !== null) return markup;
  if (isMail(text)) return 'eml';
  return recogniseByIdioms(text) ?? (/#@~\^[\w+/]{6}==/.test(text) ? 'vbe' : 'text');
}

const mimes: Partial<Record<KindId, string>> = {
  vbe: 'text/vbscript.encode',
  registry: 'text/x-ms-regedit',
  json: 'application/json',
  eml: 'message/rfc822',
  hta: 'application/hta',
  html: 'text/html',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  javascript: 'text/javascript',
  vbscript: 'text/vbscript',
  shell: 'application/x-sh',
  batch: 'application/x-bat',
  text: 'text/plain',
};

const encodings: Record<DecodedText['encoding'], string> = {
  ascii: 'ASCII',
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
  latin1: 'a one-byte encoding',
};

/** What a text is; `total` is the size of the whole file, of which the text may be the beginning. */
export function recogniseText({ text, encoding, hasMark }: DecodedText, total: number): Kind {
  const id = recogniseTextId(text, total <= textSearchBytes);
  const mark = hasMark ? ' with a byte order mark' : '';
  return { id, title: `${kindTitles[id]}, ${encodings[encoding]}${mark}`, mime: mimes[id] ?? `text/x-${id}` };
}
