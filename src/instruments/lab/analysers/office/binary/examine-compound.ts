import type { Json } from '../../../contract.ts';
import { visible } from '../bytes.ts';
import { attempt, type Collector } from '../collector.ts';
import { type CompoundFile, readCompoundFile } from '../compound/read-compound-file.ts';
import { createEmbedded, noteClass, reportEmbedded } from '../embedded.ts';
import { classNames } from '../kinds-of-findings.ts';
import { readDocumentSummary, readSummary } from '../properties.ts';
import { examineVba } from '../vba/examine-vba.ts';
import { examineWorkbook } from '../xlm/examine-workbook.ts';
import { examineMsi } from './msi.ts';
import { powerPointObjects } from './power-point.ts';
import { examineWord } from './word.ts';

/** Documents of Office 97 to 2003, and everything else that is a compound file. */

const mainStreams: readonly { readonly path: string; readonly type: string }[] = [
  { path: 'EncryptedPackage', type: 'encrypted Office document' },
  { path: 'WordDocument', type: 'Word document' },
  { path: 'Workbook', type: 'Excel workbook' },
  { path: 'Book', type: 'Excel workbook' },
  { path: 'PowerPoint Document', type: 'PowerPoint presentation' },
  { path: 'VisioDocument', type: 'Visio drawing' },
  { path: '__properties_version1.0', type: 'Outlook message' },
  { path: 'VBA/dir', type: 'VBA project' },
];

const installerClasses = ['000C1084-0000-0000-C000-000000000046', '000C1086-0000-0000-C000-000000000046'];

export function documentType(file: CompoundFile): string {
  const main = mainStreams.find(({ path }) => file.find(path) !== undefined);
  const root = file.entries[0]?.clsid ?? '';
  return main?.type ?? classNames[root]?.title ?? 'unknown';
}

export function isInstaller(file: CompoundFile): boolean {
  return installerClasses.includes(file.entries[0]?.clsid ?? '');
}

function properties(file: CompoundFile, tick: () => void): Record<string, Json> {
  const read = (name: string): Uint8Array => {
    const entry = file.find(name);
    return entry === undefined ? new Uint8Array() : file.read(entry);
  };
  return {
    ...readDocumentSummary(read('\x05DocumentSummaryInformation'), tick),
    ...readSummary(read('\x05SummaryInformation'), tick),
  };
}

function describeContainer(collector: Collector, file: CompoundFile): void {
  const root = file.entries[0];
  collector.fact('container', 'ole2');
  collector.fact('compound', {
    version: file.version,
    sector_bytes: file.sectorSize,
    entries: file.entries.length,
    orphans: file.entries.filter(({ isOrphan, type }) => isOrphan && type !== 'root').length,
    root_clsid: root?.clsid ?? '',
    root_modified: root?.modified ?? null,
  });
  collector.list(
    'streams',
    file.entries
      .filter(({ type }) => type === 'stream')
      .map(({ path, size }) => ({ path: visible(path), bytes: size })),
    100,
  );
  const times = file.entries.filter(
    ({ type, created, modified }) => type === 'storage' && (created !== null || modified !== null),
  );
  collector.list(
    'storage_times',
    times.map(({ path, created, modified }) => ({ path: visible(path), created, modified })),
    20,
  );
  if (root !== undefined && root.clsid !== '') noteClass(collector, root.clsid, 'root storage');
}

function examinePowerPoint(collector: Collector, stream: Uint8Array, tick: () => void): boolean {
  let hasVba = false;
  const embedded = createEmbedded(collector, tick);
  for (const { at, content } of powerPointObjects(stream, tick)) {
    const inside = `PowerPoint Document at ${at}`;
    const file = readCompoundFile(content, tick);
    if (file === null) {
      collector.child(`object-${at}`, content, `object in ${inside}`);
      continue;
    }
    const { projects, hasCode } = examineVba(collector, file, inside, tick);
    hasVba ||= hasCode;
    if (projects.length === 0) {
      collector.child(`object-${at}`, content, `object in ${inside}`);
      embedded.add(file, `${inside}:`);
    }
  }
  if (embedded.packages.length + embedded.objects.length > 0) reportEmbedded(collector, embedded);
  return hasVba;
}

export function examineCompound(
  collector: Collector,
  file: CompoundFile,
  tick: () => void,
): { hasVba: boolean; hasXlm: boolean } {
  file.notes.forEach(collector.note);
  describeContainer(collector, file);
  collector.fact('document_type', documentType(file));
  collector.fact('properties', properties(file, tick));
  if (isInstaller(file)) {
    attempt(collector, 'the database of the installer', () => examineMsi(collector, file, tick));
    return { hasVba: false, hasXlm: false };
  }
  let hasVba = false;
  let hasXlm = false;
  attempt(collector, 'the VBA project', () => {
    hasVba = examineVba(collector, file, '', tick).hasCode;
  });
  const embedded = createEmbedded(collector, tick);
  attempt(collector, 'an embedded object', () => embedded.add(file, ''));
  reportEmbedded(collector, embedded);
  const word = file.find('WordDocument');
  if (word !== undefined)
    attempt(collector, 'the text of the document', () => examineWord(collector, file.read(word), tick));
  const workbook = file.find('Workbook') ?? file.find('Book');
  if (workbook !== undefined) {
    attempt(collector, 'the workbook', () => {
      hasXlm = examineWorkbook(collector, file.read(workbook), tick).hasMacros;
    });
  }
  const slides = file.find('PowerPoint Document');
  if (slides !== undefined) {
    attempt(collector, 'the presentation', () => {
      hasVba = examinePowerPoint(collector, file.read(slides), tick) || hasVba;
    });
  }
  return { hasVba, hasXlm };
}
