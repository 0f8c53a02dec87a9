import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type LocalFileHeader, type ZipFile } from 'yauzl';
import type { UnpackLimits } from './contract.ts';
import { FileSource } from './file-source.ts';
import { type IssueList, StopUnpacking } from './issue-list.ts';
import type { Meter } from './meter.ts';
import type { Place } from './place.ts';
import { findZipEnd } from './zip-end.ts';
import { findOverlaps, type Span } from './zip-overlap.ts';

export interface ZipWork {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly place: Place;
  readonly issues: IssueList;
  readonly meter: Meter;
  readonly limits: UnpackLimits;
}

const fileKind = 0o170000;
const kinds = { folder: 0o040000, file: 0o100000, link: 0o120000 } as const;
const unixMakers = new Set([3, 19]);
const longestLinkBytes = 4096;
const hasDataDescriptor = 0x8;

function modeOf(entry: Entry): number {
  return unixMakers.has(entry.versionMadeBy >> 8) ? entry.externalFileAttributes >>> 16 : 0o644;
}

/** Names are kept as bytes, and sizes are checked here: one wrong entry must not end the work on the others. */
function openZip(work: ZipWork, end: number): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false, lazyEntries: true };
  return fromRandomAccessReaderPromise(new FileSource(work.handle), end, options);
}

/** The first pass keeps numbers only: where each entry lies in the file. */
async function readSpans(work: ZipWork, end: number): Promise<Span[]> {
  const zip = await openZip(work, end);
  const spans: Span[] = [];
  for await (const entry of zip.eachEntry()) {
    if (spans.length > work.limits.maxEntries) break;
    const start = entry.relativeOffsetOfLocalHeader;
    spans.push({ start, end: start + 30 + entry.fileNameLength + entry.compressedSize });
  }
  return spans;
}

function compareHeaders(entry: Entry, local: LocalFileHeader, issues: IssueList): void {
  if (!local.fileName.equals(entry.fileNameRaw)) {
    issues.add('name-differs', entry.fileNameRaw, 'the two headers of the entry give it different names');
  }
  const isDeferred = (local.generalPurposeBitFlag & hasDataDescriptor) !== 0;
  const sizes: readonly [number, number][] = [
    [local.compressedSize, entry.compressedSize],
    [local.uncompressedSize, entry.uncompressedSize],
  ];
  const isDifferent = sizes.some(([here, there]) => here !== there && here !== 0xffffffff);
  if ((!isDeferred && isDifferent) || local.compressionMethod !== entry.compressionMethod) {
    issues.add('size-differs', entry.fileNameRaw, 'the two headers of the entry give it different sizes or methods');
  }
}

async function* readContent(zip: ZipFile, entry: Entry, work: ZipWork): AsyncGenerator<Uint8Array> {
  let size = 0;
  let sum = 0;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    sum = crc32(chunk, sum);
    work.meter.countOutput(chunk.length, entry.fileNameRaw);
    yield chunk;
  }
  const { issues } = work;
  if (size !== entry.uncompressedSize)
    issues.add('size-differs', entry.fileNameRaw, 'the entry is not as large as it says');
  else if (sum !== entry.crc32)
    issues.add('wrong-checksum', entry.fileNameRaw, 'the content does not fit its checksum');
}

async function readLinkTarget(zip: ZipFile, entry: Entry, work: ZipWork): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readContent(zip, entry, work)) {
    pieces.push(chunk);
    size += chunk.length;
    if (size > longestLinkBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, longestLinkBytes);
}

async function readEntry(zip: ZipFile, entry: Entry, work: ZipWork): Promise<void> {
  const { place, issues } = work;
  const name = entry.fileNameRaw;
  const mode = modeOf(entry);
  const kind = mode & fileKind;
  const isFolder = name.at(-1) === 0x2f || name.at(-1) === 0x5c || kind === kinds.folder;
  if (entry.isEncrypted()) return issues.add('encrypted', name, 'the entry is encrypted');
  if (kind !== 0 && !Object.values(kinds).some((known) => known === kind)) {
    return issues.add('special-file', name, 'a device or a pipe is not made');
  }
  if (isFolder) {
    if (entry.uncompressedSize > 0) issues.add('size-differs', name, 'a folder says that it has content');
    return place.addFolder({ name, mode });
  }
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return issues.add('unsupported-compression', name, `compressed by method ${entry.compressionMethod}`);
  }
  compareHeaders(entry, await zip.readLocalFileHeaderPromise(entry), issues);
  work.meter.countInput(entry.compressedSize);
  if (kind === kinds.link) return place.addLink({ name, mode }, await readLinkTarget(zip, entry, work), false);
  await place.addFile({ name, mode }, () => readContent(zip, entry, work));
}

export async function unpackZip(work: ZipWork): Promise<void> {
  const { issues, meter } = work;
  const found = await findZipEnd(work.handle, work.sizeBytes);
  if (found === undefined) return work.issues.stop('truncated', '', 'the archive has no end record');
  if (found.extra === 'unknown') issues.add('trailing-data', '', 'there is data behind the end of the archive');
  const overlaps = findOverlaps(await readSpans(work, found.end));
  const zip = await openZip(work, found.end);
  let index = 0;
  for await (const entry of zip.eachEntry()) {
    meter.countEntry(entry.fileNameRaw);
    if (overlaps.has(index)) {
      issues.add('overlapping', entry.fileNameRaw, 'the entry shares its bytes with another one');
    } else {
      try {
        await readEntry(zip, entry, work);
      } catch (error) {
        if (error instanceof StopUnpacking || !isBrokenData(error)) throw error;
        issues.add('broken-entry', entry.fileNameRaw, 'the content of the entry cannot be read');
      }
    }
    index += 1;
  }
}

/** Errors of the file system are ours; everything else says that the archive is wrong. */
function isBrokenData(error: unknown): boolean {
  return !(error instanceof Error && 'syscall' in error);
}
