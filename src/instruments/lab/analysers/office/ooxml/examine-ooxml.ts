import type { Json } from '../../../contract.ts';
import { isCompound } from '../bytes.ts';
import type { Collector } from '../collector.ts';
import { compoundPart, createEmbedded, noteClass, reportEmbedded } from '../embedded.ts';
import { examineFields } from '../fields.ts';
import { objectKind, riskyNames, riskyPackageKind } from '../kinds-of-findings.ts';
import { examineVba } from '../vba/examine-vba.ts';
import { readZip, xmlText, type ZipFile, type ZipPart } from '../zip/read-zip.ts';
import { type Relationship, readRelationships, reportRelationships } from './relationships.ts';
import { scanXml, textsOf } from './scan-xml.ts';
import { wordFields } from './word-fields.ts';
import { examineWorkbookParts } from './workbook-parts.ts';

/** Documents since Office 2007: a zip of parts that point to each other. */

const documentTypes: readonly { readonly part: RegExp; readonly type: string }[] = [
  { part: /^word\//i, type: 'Word document' },
  { part: /^xl\//i, type: 'Excel workbook' },
  { part: /^ppt\//i, type: 'PowerPoint presentation' },
  { part: /^visio\//i, type: 'Visio drawing' },
  { part: /^(?:FixedDocSeq\.fdseq|Documents\/)/i, type: 'XPS document' },
];

const activeXKind = {
  rule: 'office.activex',
  title: 'The document contains ActiveX controls',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Forms with buttons and lists are built from such controls.',
  attack: ['T1204.002'],
} as const;

const customKind = {
  rule: 'office.custom-ui.callback',
  title: 'The document changes the ribbon and names a macro to be called when it is loaded',
  severity: 'medium',
  evidenceType: 'behaviour',
  benign: 'Add-ins and templates build their ribbon this way.',
  attack: ['T1204.002', 'T1137'],
} as const;

const propertyNames: Readonly<Record<string, string>> = {
  title: 'title',
  subject: 'subject',
  creator: 'author',
  lastModifiedBy: 'last_author',
  created: 'created',
  modified: 'modified',
  revision: 'revision',
  keywords: 'keywords',
  description: 'comments',
  Template: 'template',
  Application: 'application',
  AppVersion: 'application_version',
  Company: 'company',
  Manager: 'manager',
  Pages: 'pages',
  Words: 'words',
  TotalTime: 'edit_time',
  category: 'category',
};

const maximalXmlBytes = 24 * 1024 * 1024;

function readProperties(zip: ZipFile, tick: () => void): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const name of ['docProps/core.xml', 'docProps/app.xml']) {
    const part = zip.find(name);
    const content = part === undefined ? null : zip.read(part);
    if (content === null) continue;
    for (const { name: key, text } of textsOf(xmlText(content), Object.keys(propertyNames), 100, tick)) {
      const fact = propertyNames[key];
      if (fact !== undefined && text.trim() !== '') found[fact] ??= text.trim();
    }
  }
  return found;
}

function relationshipsOf(zip: ZipFile, tick: () => void): Relationship[] {
  return zip.parts
    .filter(({ name }) => /\.rels$/i.test(name))
    .slice(0, 500)
    .flatMap((part) => {
      const content = zip.read(part);
      return content === null ? [] : readRelationships(xmlText(content), part.name, tick).slice(0, 2000);
    });
}

/** Text parts of Word in which fields may stand. */
function examineWordParts(collector: Collector, zip: ZipFile, tick: () => void): void {
  const fields: string[] = [];
  const links: string[] = [];
  const dde: string[] = [];
  let left = maximalXmlBytes;
  for (const part of zip.parts.filter(({ name }) => /^word\/[^/]+\.xml$/i.test(name)).slice(0, 100)) {
    const content = zip.read(part);
    if (content === null || left <= 0) continue;
    left -= content.length;
    const own = wordFields(xmlText(content), tick);
    const found = examineFields(collector, own, `part ${part.name}`);
    fields.push(...own);
    links.push(...found.links);
    dde.push(...found.dde);
  }
  collector.list('fields', [...new Set(fields)], 40);
  collector.list('field_links', [...new Set(links)]);
  collector.list('dde_fields', dde);
}

function examineActiveX(collector: Collector, zip: ZipFile, tick: () => void): void {
  const controls: { [key: string]: string }[] = [];
  for (const part of zip.parts.filter(({ name }) => /\/activeX\/[^/]+\.xml$/i.test(name)).slice(0, 100)) {
    const content = zip.read(part);
    if (content === null) continue;
    scanXml(
      xmlText(content),
      {
        tag(tag) {
          if (tag.name !== 'ocx' || tag.isEnd || controls.length >= 100) return;
          const clsid = (tag.attributes().get('classid') ?? '').replace(/[{}]/g, '').toUpperCase();
          controls.push({
            part: part.name,
            clsid,
            class: noteClass(collector, clsid, `part ${part.name}`) ?? 'unknown',
          });
          collector.finding(activeXKind, { where: `part ${part.name}`, text: `class ${clsid}` });
        },
      },
      tick,
    );
  }
  collector.list('activex_controls', controls);
}

function examineCustomUi(collector: Collector, zip: ZipFile, tick: () => void): void {
  for (const part of zip.parts.filter(({ name }) => /^customUI\/[^/]+\.xml$/i.test(name)).slice(0, 10)) {
    const content = zip.read(part);
    if (content === null) continue;
    scanXml(
      xmlText(content),
      {
        tag(tag) {
          const callback = tag.name === 'customUI' ? tag.attributes().get('onLoad') : undefined;
          if (callback === undefined) return;
          collector.fact('custom_ui_on_load', callback);
          collector.finding(customKind, { where: `part ${part.name}`, text: callback });
        },
      },
      tick,
    );
  }
}

function takeEmbedding(collector: Collector, part: ZipPart, content: Uint8Array): void {
  const name = part.name.slice(part.name.lastIndexOf('/') + 1);
  collector.child(name, content, `part ${part.name}`);
  collector.finding(objectKind, { where: `part ${part.name}`, text: `${content.length} bytes` });
  if (riskyNames.test(name)) collector.finding(riskyPackageKind, { where: `part ${part.name}`, text: name });
}

/** Every part that is a compound file: macros wherever they lie, objects, controls. */
function examineBinaryParts(collector: Collector, zip: ZipFile, tick: () => void): boolean {
  const embedded = createEmbedded(collector, tick);
  let hasMacros = false;
  const binary = zip.parts.filter(
    ({ name }) => !/\.(?:xml|rels|vml|png|jpe?g|gif|emf|wmf)$/i.test(name) && !name.endsWith('/'),
  );
  for (const part of binary.slice(0, 500)) {
    const content = zip.read(part);
    if (content === null || content.length === 0) continue;
    const file = compoundPart(content, tick);
    if (file !== null) {
      for (const note of file.notes) collector.note(`${part.name}: ${note}`);
      const { hasCode, projects } = examineVba(collector, file, part.name, tick);
      hasMacros ||= hasCode;
      if (projects.length === 0) embedded.add(file, `${part.name}:`);
      // A project of macros has been read here; everything else is a file of its own.
      if (projects.length > 0) collector.fact('vba_part', part.name);
      else takeEmbedding(collector, part, content);
    } else if (
      /\/(?:embeddings|attachments)\//i.test(part.name) ||
      (riskyNames.test(part.name) && !isCompound(content))
    ) {
      takeEmbedding(collector, part, content);
    }
  }
  reportEmbedded(collector, embedded);
  return hasMacros;
}

export function examineOoxml(
  collector: Collector,
  bytes: Uint8Array,
  tick: () => void,
): { hasVba: boolean; hasXlm: boolean } {
  const zip = readZip(bytes, tick);
  zip.notes.forEach(collector.note);
  const unreadable = zip.parts.filter((part) => part.isEncrypted || (part.method !== 0 && part.method !== 8));
  if (unreadable.length > 0)
    collector.note(`${unreadable.length} parts are encrypted or compressed in a way that is not read`);
  const type = documentTypes.find(({ part }) => zip.parts.some(({ name }) => part.test(name)))?.type ?? 'unknown';
  const types = zip.find('[Content_Types].xml');
  const contentTypes = types === undefined ? null : zip.read(types);
  const declares = contentTypes === null ? '' : xmlText(contentTypes).slice(0, 1_000_000);
  collector.fact('document_type', type);
  collector.fact('container', 'ooxml');
  collector.fact('parts', zip.parts.length);
  collector.list(
    'part_names',
    zip.parts.map(({ name }) => name),
    80,
  );
  collector.fact('declares_macros', /macroEnabled|vbaProject/i.test(declares));
  collector.fact('properties', readProperties(zip, tick));
  reportRelationships(collector, relationshipsOf(zip, tick));
  examineWordParts(collector, zip, tick);
  examineActiveX(collector, zip, tick);
  examineCustomUi(collector, zip, tick);
  const hasXlm = examineWorkbookParts(collector, zip, tick);
  return { hasVba: examineBinaryParts(collector, zip, tick), hasXlm };
}
