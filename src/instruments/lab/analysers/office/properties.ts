import type { Json } from '../../contract.ts';
import { cut, fileTimeAt, u16, u32, untilZero, utf16 } from './bytes.ts';
import { decodePage } from './vba/code-pages.ts';

/** Property sets: who made a document, when, and with what. */

const summaryNames: Readonly<Record<number, string>> = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  6: 'comments',
  7: 'template',
  8: 'last_author',
  9: 'revision',
  10: 'edit_time',
  11: 'last_printed',
  12: 'created',
  13: 'modified',
  14: 'pages',
  15: 'words',
  16: 'characters',
  18: 'application',
  19: 'security',
};

const documentNames: Readonly<Record<number, string>> = {
  2: 'category',
  5: 'lines',
  6: 'paragraphs',
  14: 'manager',
  15: 'company',
  23: 'application_version',
  29: 'document_version',
};

const maximalProperties = 200;

function valueAt(bytes: Uint8Array, at: number, codePage: number, name: string): Json | undefined {
  const type = u16(bytes, at);
  const body = at + 4;
  if (type === 2) return (u16(bytes, body) << 16) >> 16;
  if (type === 3) return u32(bytes, body) | 0;
  if (type === 11) return u16(bytes, body) !== 0;
  if (type === 30) return untilZero(decodePage(cut(bytes, body + 4, Math.min(u32(bytes, body), 32_768)), codePage));
  if (type === 31) return untilZero(utf16(cut(bytes, body + 4, Math.min(u32(bytes, body) * 2, 32_768))));
  if (type === 64) {
    // Editing time is a span, not a date.
    if (name === 'edit_time') return Math.round((u32(bytes, body + 4) * 2 ** 32 + u32(bytes, body)) / 10_000_000);
    return fileTimeAt(bytes, body) ?? undefined;
  }
  return undefined;
}

function readSet(bytes: Uint8Array, names: Readonly<Record<number, string>>, tick: () => void): Record<string, Json> {
  const found: Record<string, Json> = {};
  if (u16(bytes, 0) !== 0xfffe || bytes.length < 48) return found;
  const section = u32(bytes, 44);
  const count = Math.min(u32(bytes, section + 4), maximalProperties);
  const places = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    places.set(u32(bytes, section + 8 + index * 8), section + u32(bytes, section + 12 + index * 8));
  }
  tick();
  const pageAt = places.get(1);
  const codePage = pageAt === undefined ? 1252 : u16(bytes, pageAt + 4);
  for (const [id, at] of places) {
    const name = names[id];
    if (name === undefined || at + 8 > bytes.length) continue;
    const value = valueAt(bytes, at, codePage, name);
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

export function readSummary(bytes: Uint8Array, tick: () => void): Record<string, Json> {
  return readSet(bytes, summaryNames, tick);
}

export function readDocumentSummary(bytes: Uint8Array, tick: () => void): Record<string, Json> {
  return readSet(bytes, documentNames, tick);
}
