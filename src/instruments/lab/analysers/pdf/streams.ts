import type { Draft } from '../draft.ts';
import { excerpt } from '../draft.ts';
import { fileOf } from './actions.ts';
import type { PdfDocument } from './document.ts';
import { programIn } from './findings.ts';
import { typeOf } from './metadata.ts';
import { rules } from './rules.ts';
import { isDictionary, itemsOf, type PdfObject, textOf } from './values.ts';

interface Attachment {
  readonly name: string;
  readonly object: number;
  readonly size: number;
}

/** The names that file specifications give to streams. */
function attachmentNames(document: PdfDocument): Map<number, string> {
  const names = new Map<number, string>();
  for (const owner of document.objects) {
    if (!isDictionary(owner.value) || !owner.value.entries.has('EF')) continue;
    const files = document.resolve(owner.value.entries.get('EF'));
    const name = fileOf({ document, owner }, owner.value);
    if (!isDictionary(files) || names.size > 5000) continue;
    for (const file of files.entries.values()) {
      if (typeof file === 'object' && file.type === 'reference') names.set(file.number, name);
    }
  }
  return names;
}

/** The streams that forms of the kind XFA are made of. */
function formStreams(document: PdfDocument): Set<number> {
  const numbers = new Set<number>();
  for (const object of document.objects) {
    if (!isDictionary(object.value)) continue;
    const direct = object.value.entries.get('XFA');
    for (const one of [direct, document.resolve(direct)]) {
      for (const item of itemsOf(one).slice(0, 200)) {
        if (typeof item === 'object' && item.type === 'reference') numbers.add(item.number);
      }
    }
  }
  return numbers;
}

const mostStreams = 3000;
const pictures = new Set(['Image', 'Type1C', 'CIDFontType0C', 'OpenType']);

export interface StreamFacts {
  readonly streams: number;
  readonly filters: Readonly<Record<string, number>>;
  readonly attachments: readonly Attachment[];
  readonly undecodable: number;
}

export function readStreams(document: PdfDocument, draft: Draft, tick: () => void): StreamFacts {
  const names = attachmentNames(document);
  const forms = formStreams(document);
  const filters = new Map<string, number>();
  const attachments: Attachment[] = [];
  let streams = 0;
  let undecodable = 0;
  for (const object of document.objects) {
    if (object.stream === undefined) continue;
    streams += 1;
    tick();
    if (streams > mostStreams) continue;
    const { type, subtype } = typeOf(object);
    const attached = names.has(object.number) || type === 'EmbeddedFile';
    if (type === 'ObjStm' || type === 'XRef') {
      for (const name of itemsOf(document.resolve(typeOf(object).dictionary?.entries.get('Filter')))) {
        const text = typeof name === 'object' && name.type === 'name' ? name.value : '?';
        filters.set(text, (filters.get(text) ?? 0) + 1);
      }
      continue;
    }
    const content = document.stream(object);
    if (content === undefined) continue;
    for (const name of new Set(content.filters))
      if (filters.size < 40 || filters.has(name)) filters.set(name, (filters.get(name) ?? 0) + 1);
    const where = `object ${object.number}`;
    if (content.problem?.includes('damaged')) {
      undecodable += 1;
      draft.finding(rules.wrongFilter, where, content.problem);
    } else if (content.problem !== undefined) draft.note(`stream of ${where}: ${content.problem}`);
    if (content.filters.length >= 3) draft.finding(rules.manyFilters, where, content.filters.join(' '));
    if (type === 'Metadata' || forms.has(object.number)) {
      draft.text(
        type === 'Metadata' ? `metadata, ${where}` : `form (XFA), ${where}`,
        textOf(content.bytes.subarray(0, 1_000_000)),
      );
    }
    addFile(draft, object, content.bytes, content.filters, attached, names.get(object.number), attachments);
    if (!attached && subtype !== undefined && pictures.has(subtype)) continue;
    if (/https?:\/\//.test(Buffer.from(content.bytes.subarray(0, 200_000)).toString('latin1'))) {
      draft.text(`stream of ${where}`, textOf(content.bytes.subarray(0, 200_000)));
    }
  }
  if (streams > mostStreams) draft.note(`${streams} streams, of which ${mostStreams} were unpacked`);
  return { streams, filters: Object.fromEntries(filters), attachments, undecodable };
}

function addFile(
  draft: Draft,
  object: PdfObject,
  bytes: Uint8Array,
  filters: readonly string[],
  attached: boolean,
  named: string | undefined,
  attachments: Attachment[],
): void {
  const name = named === undefined || named === '' ? `object-${object.number}` : named;
  const program = bytes.length > 32 ? programIn(attached ? name : '', bytes) : undefined;
  const where = `object ${object.number}`;
  if (program !== undefined) draft.finding(rules.embeddedProgram, where, `${program}: ${name}`);
  if (attached) {
    draft.finding(rules.embedded, where, name);
    attachments.push({ name: excerpt(name, 200), object: object.number, size: bytes.length });
  }
  if (attached || program !== undefined) draft.child(name, bytes, [`stream ${object.number}`, ...filters].join(', '));
}
