import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { bufferOf, cut, guidAt, startsWith, u64 } from '../office/bytes.ts';
import { createCollector } from '../office/collector.ts';
import { riskyNames } from '../office/kinds-of-findings.ts';
import { hintOf } from './hints.ts';
import { wideStrings } from './wide-strings.ts';

/** Sections of OneNote: the files that were put into them, and the names they had. */

const sectionFormats: Readonly<Record<string, string>> = {
  '7B5C52E4-D88C-4DA7-AEB1-5378D02996D3': 'section (.one)',
  '43FF2FA1-EFD9-4C76-9EE2-10EA5722765F': 'table of contents (.onetoc2)',
};

const storeHeader = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex');
const storeFooter = [0x22, 0xa7, 0xfb, 0x71, 0x79, 0x0f, 0x0b, 0x4a, 0xbb, 0x13, 0x89, 0x92, 0x56, 0x42, 0x6b, 0x24];
const maximalFiles = 200;

const fileKind = {
  rule: 'onenote.embedded-file',
  title: 'The section has files attached to its pages',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Notes have documents and pictures attached every day.',
  attack: ['T1204.002'],
} as const;

const riskyKind = {
  rule: 'onenote.embedded-program',
  title: 'The section carries a program, a script or a shortcut that opens on a double click',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'People who write software keep scripts in their notes.',
  attack: ['T1204.002', 'T1566.001'],
} as const;

interface StoredFile {
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

function storedFiles(bytes: Uint8Array, tick: () => void): StoredFile[] {
  const files: StoredFile[] = [];
  const buffer = bufferOf(bytes);
  for (let at = buffer.indexOf(storeHeader); at !== -1 && files.length < maximalFiles; ) {
    tick();
    const length = u64(bytes, at + 16);
    const content = cut(bytes, at + 36, Math.min(length, bytes.length));
    // The data is filled up to eight bytes before its end mark.
    const footerAt = at + 36 + Math.ceil(length / 8) * 8;
    files.push({
      at,
      bytes: content,
      isWhole: startsWith(bytes, storeFooter, footerAt) || startsWith(bytes, storeFooter, at + 36 + length),
    });
    at = buffer.indexOf(storeHeader, at + 36 + (content.length === length ? length : 0));
  }
  return files;
}

const fileName = /^[^\x00-\x1f<>|"*?]{1,200}\.[A-Za-z0-9]{1,12}$/;
const link = /(?:https?|ftp|file|onenote):[^\s"<>]{3,2000}/gi;

function analyse(input: AnalyserInput): AnalyserResult {
  const { bytes, tick } = input;
  const collector = createCollector();
  const format = sectionFormats[guidAt(bytes, 0)];
  collector.fact('format', format ?? 'unknown');
  if (format === undefined) collector.note('the file does not begin as a section does');
  const strings = wideStrings(bytes, tick);
  const names = [...new Set(strings.map((text) => text.trim()).filter((text) => fileName.test(text)))];
  const links = [...new Set(strings.flatMap((text) => text.match(link) ?? []))];
  collector.list('file_names', names, 60);
  collector.list('links', links, 60);
  collector.text('text of the section', strings.join('\n'));
  const files = storedFiles(bytes, tick);
  collector.fact('embedded_file_count', files.length);
  const facts = files.map((file, index) => {
    const hint = hintOf(file.bytes);
    const where = `offset 0x${file.at.toString(16)}`;
    if (!file.isWhole) collector.note(`the embedded file at ${where} does not end where it says`);
    collector.child(`embedded-${index + 1}${hint.extension}`, file.bytes, `file in the section at ${where}`);
    collector.finding(fileKind, { where, text: `${hint.title}, ${file.bytes.length} bytes` });
    if (hint.isRisky) collector.finding(riskyKind, { where, text: `${hint.title}, ${file.bytes.length} bytes` });
    return { offset: file.at, bytes: file.bytes.length, looks_like: hint.title, is_whole: file.isWhole };
  });
  collector.list('embedded_files', facts, 60);
  const risky = names.filter((name) => riskyNames.test(name));
  // A name alone may be a mention in the text; with files there it is most likely the name of one.
  if (files.length > 0 && risky.length > 0)
    collector.finding(riskyKind, ...risky.map((text) => ({ where: 'file name', text })));
  return collector.result();
}

export const onenote: Analyser = {
  id: 'onenote',
  title: 'OneNote sections: embedded files, names, links',
  version: 1,
  kinds: ['onenote'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse,
};
