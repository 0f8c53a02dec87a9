import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { isCompound, latin1, startsWith, visible } from '../office/bytes.ts';
import { attempt, type Collector, createCollector } from '../office/collector.ts';
import { readCompoundFile } from '../office/compound/read-compound-file.ts';
import { createEmbedded, readNative, reportEmbedded, takePackage } from '../office/embedded.ts';
import { examineFields } from '../office/fields.ts';
import { equationKind, objectKind, remoteTemplateKind } from '../office/kinds-of-findings.ts';
import { examineVba } from '../office/vba/examine-vba.ts';
import { readOle1 } from './ole1.ts';
import { type RtfDocument, type RtfObject, readRtf } from './read-rtf.ts';

const updateKind = {
  rule: 'rtf.object.update',
  title: 'An object of the document is loaded as soon as it is opened',
  severity: 'high',
  evidenceType: 'behaviour',
  benign: 'Linked charts are refreshed this way; most embedded objects wait for a double click.',
  attack: ['T1203', 'T1204.002'],
} as const;

const linkKind = {
  rule: 'rtf.object.link',
  title: 'The document has an object that lies elsewhere and is fetched from there',
  severity: 'high',
  evidenceType: 'behaviour',
  benign: 'Tables linked to a workbook on a share of the firm look the same.',
  attack: ['T1221', 'T1203'],
} as const;

const noiseKind = {
  rule: 'rtf.obfuscated-data',
  title: 'The data of an object is mixed with signs that readers skip',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Programs write the digits of objects without anything between them; broken transfers can damage them.',
  attack: ['T1027'],
  mbc: ['E1027'],
} as const;

const headerKind = {
  rule: 'rtf.malformed-header',
  title: 'The document begins in a way that Word accepts and other readers do not',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'A few converters leave out the version number.',
  attack: ['T1027'],
} as const;

const overlayKind = {
  rule: 'rtf.overlay',
  title: 'Bytes follow behind the end of the document',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Some mail gateways and editors append blanks or zeros.',
  attack: ['T1027.009'],
} as const;

const equationClass = /^equation\.[23]$/i;

function examineObject(
  collector: Collector,
  object: RtfObject,
  index: number,
  embedded: ReturnType<typeof createEmbedded>,
  tick: () => void,
) {
  const where = `object ${index + 1} at offset ${object.at}`;
  const ole = readOle1(object.data);
  const className = ole?.className || object.className;
  if (object.words.includes('objupdate'))
    collector.finding(updateKind, { where, text: `${className} ${object.words.join(' ')}` });
  if (object.words.includes('objautlink') || ole?.format === 'linked') {
    collector.finding(linkKind, { where, text: `${className} ${ole?.topic ?? ''} ${ole?.item ?? ''}`.trim() });
    collector.text('target of a linked object', `${ole?.topic ?? ''}\n${ole?.item ?? ''}`);
  }
  if (equationClass.test(className.trim())) collector.finding(equationKind, { where, text: `class ${className}` });
  if (object.noise > 3) collector.finding(noiseKind, { where, text: `${object.noise} signs that are skipped` });
  if (ole === null) {
    collector.child(`object-${index + 1}.bin`, object.data, `data of ${where}, without an OLE header`);
  } else if (isCompound(ole.data)) {
    collector.child(`object-${index + 1}.ole`, ole.data, `OLE object, ${where}`);
    const file = readCompoundFile(ole.data, tick);
    if (file !== null) {
      embedded.add(file, `object ${index + 1}:`);
      examineVba(collector, file, `object ${index + 1}`, tick);
    }
  } else {
    const native = /^package$/i.test(className) ? readNative(ole.data) : null;
    if (native !== null) embedded.packages.push(takePackage(collector, native, where));
    else collector.child(`object-${index + 1}.bin`, ole.data, `native data of ${where}`);
  }
  collector.finding(objectKind, { where, text: `${className}, ${object.data.length} bytes` });
  return {
    at: object.at,
    class: visible(className),
    declared_class: visible(object.className),
    format: ole?.format ?? 'none',
    bytes: object.data.length,
    words: object.words,
    noise: object.noise,
    is_odd: ole?.isOdd ?? true,
  };
}

const remote = /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|^\\\\|^file:|^mhtml:|^ms-\w)/i;

function examineRest(collector: Collector, document: RtfDocument): void {
  collector.list('templates', document.templates);
  for (const text of document.templates.filter((one) => remote.test(one))) {
    collector.finding(remoteTemplateKind, { where: 'template', text });
    collector.text('template', text);
  }
  const { links, dde } = examineFields(collector, document.fields, 'field');
  collector.list('fields', document.fields, 40);
  collector.list('hyperlinks', [...new Set(links)]);
  collector.list('dde_fields', dde);
  collector.text('fields', document.fields.join('\n'));
  document.stores.forEach(
    (store, index) => void collector.child(`datastore-${index + 1}.bin`, store, 'data store of the document'),
  );
  if (document.stores.length > 0) collector.fact('data_stores', document.stores.length);
  collector.fact('properties', document.info);
}

/** What stands behind the last brace, without the blanks and zeros that writers leave there. */
function overlayOf(bytes: Uint8Array, end: number): Uint8Array {
  let last = bytes.length;
  while (last > end && [0, 0x0a, 0x0d, 0x20, 0x1a].includes(bytes[last - 1] ?? 0)) last -= 1;
  return bytes.subarray(end, last);
}

function isSensible(object: RtfObject | undefined): boolean {
  const ole = object === undefined ? null : readOle1(object.data);
  return ole !== null && !ole.isOdd && ole.data.length > 0;
}

/** Objects that make no sense are read once more the other way. */
function sensibleObjects(bytes: Uint8Array, document: RtfDocument, tick: () => void): readonly RtfObject[] {
  if (document.unknownIgnored === 0 || document.objects.every(isSensible)) return document.objects;
  const other = readRtf(bytes, tick, true).objects;
  return document.objects.map((object, index) => {
    const again = other[index];
    return again !== undefined && !isSensible(object) && isSensible(again) ? again : object;
  });
}

function analyse(input: AnalyserInput): AnalyserResult {
  const { bytes, tick } = input;
  const collector = createCollector();
  attempt(collector, 'the document', () => {
    const document = readRtf(bytes, tick);
    document.notes.forEach(collector.note);
    const head = latin1(bytes.subarray(0, 8));
    const isHeadWhole = startsWith(bytes, [...Buffer.from('{\\rtf1')]);
    collector.fact('header', visible(head));
    if (!isHeadWhole) collector.finding(headerKind, { where: 'offset 0x0', text: visible(head) });
    collector.fact('control_words', document.controlWords);
    collector.fact('groups', document.groups);
    collector.fact('deepest_nesting', document.depth);
    collector.fact('skipped_groups', document.unknownIgnored);
    const embedded = createEmbedded(collector, tick);
    const objects = sensibleObjects(bytes, document, tick).map((object, index) =>
      examineObject(collector, object, index, embedded, tick),
    );
    collector.fact('object_count', objects.length);
    collector.list('objects', objects, 50);
    reportEmbedded(collector, embedded);
    examineRest(collector, document);
    if (document.end === -1) return;
    const overlay = overlayOf(bytes, document.end);
    if (overlay.length === 0) return;
    collector.fact('overlay_bytes', overlay.length);
    collector.finding(overlayKind, { where: `offset ${document.end}`, text: visible(latin1(overlay.subarray(0, 64))) });
    collector.child('overlay', overlay, 'bytes behind the end of the document');
  });
  return collector.result();
}

export const rtf: Analyser = {
  id: 'rtf',
  title: 'RTF documents: objects, templates, fields',
  version: 1,
  kinds: ['rtf'],
  depth: 'quick',
  timeoutMs: 30_000,
  analyse,
};
