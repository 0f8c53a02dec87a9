import type { Analyser, AnalyserInput, Json } from '../../contract.ts';
import { capped, type Draft, draftResult, excerpt } from '../draft.ts';
import { collectActions, type PdfAction } from './actions.ts';
import { openDocument } from './document.ts';
import { addActionFindings, addNameFindings } from './findings.ts';
import { countedNames, countNames } from './keywords.ts';
import { countPages, encryptionFacts, readInfo } from './metadata.ts';
import { rules } from './rules.ts';
import { readStreams } from './streams.ts';
import { type PdfStructure, readStructure } from './structure.ts';

function addStructure(draft: Draft, bytes: Uint8Array, structure: PdfStructure): void {
  draft.fact('version', structure.version);
  draft.fact('header_offset', structure.headerOffset);
  draft.fact('ends', structure.ends);
  draft.fact('incremental_updates', Math.max(0, structure.ends - 1));
  draft.fact('start_xrefs', structure.startXrefs);
  draft.fact('keywords', structure.keywordCounts);
  if (structure.headerOffset < 0) draft.note('no %PDF header was found');
  if (structure.headerOffset > 0) {
    const before = Buffer.from(bytes.subarray(0, Math.min(structure.headerOffset, 100))).toString('latin1');
    draft.finding(rules.leadingData, `header at offset ${structure.headerOffset}`, before);
  }
  const { trailing } = structure;
  draft.fact('trailing_bytes', trailing.length);
  if (!trailing.some((byte) => byte > 32)) return;
  draft.finding(
    rules.trailingData,
    `offset ${bytes.length - trailing.length}`,
    Buffer.from(trailing.subarray(0, 200)).toString('latin1'),
  );
  if (trailing.length >= 16) draft.child('after-end', trailing, 'after the end of the document');
}

function describe({ kind, trigger, object, detail }: PdfAction): Json {
  return { kind, trigger: excerpt(trigger, 60), object, detail: excerpt(detail, 300) };
}

function addScripts(draft: Draft, actions: readonly PdfAction[]): void {
  const seen = new Set<string>();
  for (const { script, object } of actions) {
    if (script === undefined || seen.has(script)) continue;
    seen.add(script);
    draft.text(`JavaScript of object ${object}`, script);
    draft.child(`object-${object}.js`, Buffer.from(script, 'utf8'), `JavaScript of object ${object}`);
  }
}

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const { bytes } = input;
  addStructure(draft, bytes, readStructure(bytes, tick));
  const document = openDocument(bytes, input.passwords, tick);
  for (const note of document.notes) draft.note(note);
  draft.fact('objects', document.objects.length);
  draft.fact('objects_in_streams', document.objects.filter(({ inside }) => inside !== undefined).length);
  const pages = countPages(document);
  draft.fact('pages', pages.declared ?? pages.found);
  draft.fact('page_objects', pages.found);
  const names = countNames(document.objects, document.trailers, tick);
  draft.fact('names', Object.fromEntries(countedNames.map((name) => [name, names.counts.get(name) ?? 0])));
  draft.fact('huge_colors', names.hugeColors);
  addNameFindings(draft, names);
  if (document.encryption !== undefined) {
    draft.fact('encryption', encryptionFacts(document.encryption));
    const opened = document.encryption.key === undefined ? 'not opened' : 'opened';
    draft.finding(rules.encrypted, 'Encrypt', `${document.encryption.streamCipher}, ${opened}`);
    if (document.encryption.key === undefined) draft.note('encrypted, and none of the passwords opens it');
  }
  const info = readInfo(document);
  draft.fact('info', info);
  draft.text('document information', Object.values(info).join('\n'));
  const actions = collectActions(document, tick);
  for (const [key, value] of Object.entries(capped('actions', actions.map(describe), 100))) draft.fact(key, value);
  addActionFindings(draft, actions, pages.declared ?? pages.found);
  addScripts(draft, actions);
  const addresses = actions.filter(({ script, detail }) => script === undefined && detail !== '');
  draft.text('actions', addresses.map(({ detail }) => detail).join('\n'));
  const { streams, filters, attachments, undecodable } = readStreams(document, draft, tick);
  draft.fact('streams', streams);
  draft.fact('filters', filters);
  draft.fact('undecodable_streams', undecodable);
  for (const [key, value] of Object.entries(
    capped(
      'attachments',
      attachments.map((one) => ({ ...one })),
      100,
    ),
  ))
    draft.fact(key, value);
}

export const pdf: Analyser = {
  id: 'pdf',
  title: 'PDF: objects, actions, scripts, attachments',
  version: 1,
  kinds: ['pdf'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
