import { cut, isCompound, latin1, u16, u32, untilZero, visible } from './bytes.ts';
import type { Collector } from './collector.ts';
import { type CompoundFile, readCompoundFile } from './compound/read-compound-file.ts';
import { largestStorageBytes, storageAsFile, storageBytes } from './compound/write-compound-file.ts';
import {
  classNames,
  equationKind,
  objectKind,
  packageKind,
  riskyNames,
  riskyPackageKind,
} from './kinds-of-findings.ts';

/** Objects inside documents, and the files that were packed into them. */

export interface NativePackage {
  readonly label: string;
  /** Where the file lay on the machine of whoever packed it. */
  readonly sourcePath: string;
  readonly temporaryPath: string;
  readonly content: Uint8Array;
}

function textAt(bytes: Uint8Array, at: number): { text: string; end: number } {
  const end = bytes.indexOf(0, at);
  const until = end === -1 || end - at > 4096 ? Math.min(at + 4096, bytes.length) : end;
  return { text: latin1(bytes.subarray(at, until)), end: until + 1 };
}

/** `Ole10Native`: with or without its outer size, as the packager writes it. Null: it holds something else. */
export function readNative(stream: Uint8Array): NativePackage | null {
  const at = u16(stream, 4) === 2 ? 4 : u16(stream, 0) === 2 ? 0 : -1;
  if (at === -1) return null;
  const label = textAt(stream, at + 2);
  const source = textAt(stream, label.end);
  // Four bytes of flags, then the length of the next path.
  const temporaryLength = u32(stream, source.end + 4);
  const temporary = latin1(cut(stream, source.end + 8, Math.min(temporaryLength, 4096)));
  const sizeAt = source.end + 8 + temporaryLength;
  const size = u32(stream, sizeAt);
  if (sizeAt + 4 > stream.length || size === 0) return null;
  return {
    label: label.text,
    sourcePath: source.text,
    temporaryPath: untilZero(temporary),
    content: cut(stream, sizeAt + 4, size),
  };
}

export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('\\'), path.lastIndexOf('/')) + 1);
}

export function takePackage(
  collector: Collector,
  found: NativePackage,
  where: string,
): { [key: string]: string | number } {
  const name = baseName(found.label) || baseName(found.sourcePath) || 'package';
  collector.child(name, found.content, `packed file in ${where}`);
  collector.finding(packageKind, { where, text: `${name}, ${found.content.length} bytes, from ${found.sourcePath}` });
  const risky = [found.label, found.sourcePath, found.temporaryPath].find((one) => riskyNames.test(one));
  if (risky !== undefined) collector.finding(riskyPackageKind, { where, text: risky });
  return {
    name,
    source_path: found.sourcePath,
    temporary_path: found.temporaryPath,
    bytes: found.content.length,
    where: visible(where),
  };
}

/** What a native stream holds when it is no package: the data itself behind its size. */
function rawNative(stream: Uint8Array): Uint8Array {
  return cut(stream, 4, Math.min(u32(stream, 0), stream.length));
}

export function noteClass(collector: Collector, clsid: string, where: string): string | undefined {
  const known = classNames[clsid];
  if (known?.isEquation) collector.finding(equationKind, { where, text: `class ${clsid}` });
  return known?.title;
}

/** A document that lies in a storage of another one becomes a file of its own. */
function takeStorage(collector: Collector, file: CompoundFile, streamPath: string): void {
  const storage = file.find(streamPath.slice(0, streamPath.lastIndexOf('/')));
  if (storage === undefined || storage.type !== 'storage') return;
  if (storageBytes(file, storage) > largestStorageBytes) {
    collector.note('an embedded document is larger than is taken out');
    return;
  }
  collector.child(
    `${visible(storage.name)}.ole`,
    storageAsFile(file, storage),
    `embedded document in ${visible(storage.path)}`,
  );
}

interface Found {
  readonly packages: { [key: string]: string | number }[];
  readonly objects: { [key: string]: string | number }[];
}

function examineStreams(
  collector: Collector,
  file: CompoundFile,
  inside: string,
  found: Found,
  tick: () => void,
): void {
  for (const entry of file.entries) {
    tick();
    const where = `stream ${inside}${entry.path}`;
    if (entry.type === 'storage' && entry.clsid !== '' && found.objects.length < 200) {
      const title = noteClass(collector, entry.clsid, where) ?? 'unknown';
      found.objects.push({ where: visible(inside + entry.path), clsid: entry.clsid, class: title });
    }
    if (entry.type !== 'stream') continue;
    if (/ole10native$/i.test(entry.name)) {
      const stream = file.read(entry);
      const native = readNative(stream);
      if (native !== null && found.packages.length < 100) found.packages.push(takePackage(collector, native, where));
      else collector.child(entry.name.replace(/^\x01/, ''), rawNative(stream), `native data in ${where}`);
      if (native === null && u32(stream, 0) > 0)
        found.objects.push({ where: visible(inside + entry.path), clsid: '', class: 'native data' });
    } else if (/^equation native$/i.test(entry.name)) {
      collector.finding(equationKind, { where, text: `${entry.size} bytes of formula data` });
      collector.child('equation-native.bin', file.read(entry), `formula data in ${where}`);
    } else if (
      /^(?:package|contents|workbook|book|worddocument|powerpoint document)$/i.test(entry.name) &&
      entry.path.includes('/')
    ) {
      // A document of another program, kept whole or as a storage of its own.
      const content = /^(?:package|contents)$/i.test(entry.name) ? file.read(entry) : new Uint8Array();
      if (content.length > 0) collector.child(entry.name, content, `object in ${where}`);
      else takeStorage(collector, file, entry.path);
      collector.finding(objectKind, { where, text: `${visible(entry.name)}, ${entry.size} bytes` });
    }
  }
}

export interface EmbeddedSummary extends Found {
  /** Adds a compound file that lies in a part of the document. */
  add(file: CompoundFile, inside: string): void;
}

export function createEmbedded(collector: Collector, tick: () => void): EmbeddedSummary {
  const found: Found = { packages: [], objects: [] };
  return { ...found, add: (file, inside) => examineStreams(collector, file, inside, found, tick) };
}

export function reportEmbedded(collector: Collector, found: Found): void {
  collector.list('embedded_packages', found.packages, 50);
  collector.list('embedded_objects', found.objects, 50);
}

/** A part that is itself a compound file; null where it is none. */
export function compoundPart(bytes: Uint8Array, tick: () => void): CompoundFile | null {
  return isCompound(bytes) ? readCompoundFile(bytes, tick) : null;
}
