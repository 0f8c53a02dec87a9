import { cut, latin1, u16, utf16 } from '../bytes.ts';
import type { Collector } from '../collector.ts';
import { examineFields } from '../fields.ts';

/** The text of a Word 97 document, as far as its fields need it. */

const maximalFields = 2000;
const maximalField = 8192;

/** Fields stand between three marks: begin, separator, end; they nest. */
export function fieldsIn(text: string, tick: () => void): string[] {
  const fields: string[] = [];
  const open: { text: string; isInstruction: boolean }[] = [];
  const marks = /[\x13\x14\x15]/g;
  let from = 0;
  const feed = (part: string): void => {
    const top = open.at(-1);
    if (top?.isInstruction && top.text.length < maximalField) top.text += part.slice(0, maximalField);
  };
  let count = 0;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if (++count % 1024 === 0) tick();
    feed(text.slice(from, index));
    from = index + 1;
    if (mark === '\x13' && open.length < 100) open.push({ text: '', isInstruction: true });
    else if (mark === '\x14') {
      const top = open.at(-1);
      if (top !== undefined) top.isInstruction = false;
    } else if (mark === '\x15') {
      const done = open.pop();
      if (done === undefined || fields.length >= maximalFields) continue;
      fields.push(done.text);
      feed(done.text);
    }
  }
  return fields;
}

export interface WordHeader {
  readonly isWord: boolean;
  readonly version: number;
  readonly isEncrypted: boolean;
  readonly isObfuscated: boolean;
  readonly table: '1Table' | '0Table';
  readonly key: number;
}

export function wordHeader(stream: Uint8Array): WordHeader {
  const flags = u16(stream, 10);
  return {
    isWord: u16(stream, 0) === 0xa5ec || u16(stream, 0) === 0xa5dc,
    version: u16(stream, 2),
    isEncrypted: (flags & 0x0100) !== 0,
    isObfuscated: (flags & 0x8000) !== 0,
    table: (flags & 0x0200) !== 0 ? '1Table' : '0Table',
    key: u16(stream, 14) + u16(stream, 16) * 0x10000,
  };
}

/** Both ways in which text is stored are looked at: pieces of a document choose between them freely. */
export function examineWord(collector: Collector, stream: Uint8Array, tick: () => void): void {
  const header = wordHeader(stream);
  collector.fact('word_version', header.version);
  if (header.isEncrypted) return;
  const body = cut(stream, 0, 4 * 1024 * 1024);
  const fields = new Set(
    [...fieldsIn(latin1(body), tick), ...fieldsIn(utf16(body), tick)].filter(
      (one) => /^[\s\x20-\x7e\u00a0-\uffff]*$/.test(one) && /[A-Z]{3}/i.test(one),
    ),
  );
  const { links, dde } = examineFields(collector, [...fields], 'stream WordDocument');
  collector.list('fields', [...fields].slice(0, 500), 40);
  collector.list('hyperlinks', [...new Set(links)]);
  collector.list('dde_fields', dde);
}
