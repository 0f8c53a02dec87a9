import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { pipeline as joinStreams, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { describeError, HostError, isKnownError } from '../../../base/errors.ts';
import { ByteReader } from './byte-reader.ts';
import { defaultUnpackLimits, type Unpacked, type UnpackLimits, type UnpackOptions } from './contract.ts';
import { createIssueList, type IssueList, StopUnpacking } from './issue-list.ts';
import { createMeter, type Meter } from './meter.ts';
import { createPlace, type Place } from './place.ts';
import { unpackTar } from './tar.ts';
import { unpackZip } from './zip.ts';

type Kind = 'tar' | 'gzip' | 'zip' | 'other-compression' | 'unknown';

/** What an archive is, by its first bytes: its name is chosen by whoever made it. */
const beginnings: readonly { readonly hex: string; readonly kind: Kind }[] = [
  { hex: '1f8b', kind: 'gzip' },
  { hex: '504b0304', kind: 'zip' },
  { hex: '504b0506', kind: 'zip' },
  { hex: '425a68', kind: 'other-compression' },
  { hex: 'fd377a585a00', kind: 'other-compression' },
  { hex: '28b52ffd', kind: 'other-compression' },
];

async function kindOf(handle: FileHandle): Promise<Kind> {
  const head = Buffer.alloc(8);
  const { bytesRead } = await handle.read(head, 0, 8, 0);
  if (bytesRead === 0) return 'unknown';
  const hex = head.toString('hex', 0, bytesRead);
  return beginnings.find((beginning) => hex.startsWith(beginning.hex))?.kind ?? 'tar';
}

interface Work {
  readonly place: Place;
  readonly issues: IssueList;
  readonly meter: Meter;
  readonly limits: UnpackLimits;
}

async function unpackTarFile(path: string, isCompressed: boolean, work: Work): Promise<void> {
  const counter = new Transform({
    transform(chunk: Buffer, _, done) {
      work.meter.countInput(chunk.length);
      done(null, chunk);
    },
  });
  const gunzip = createGunzip();
  const bytes: Readable = isCompressed ? gunzip : counter;
  // What goes wrong before the last part arrives at it as an error of its own.
  if (isCompressed) joinStreams(createReadStream(path), counter, gunzip, () => undefined);
  else joinStreams(createReadStream(path), counter, () => undefined);
  const reader = new ByteReader(bytes as AsyncIterable<Uint8Array>, (length) => work.meter.countOutput(length, ''));
  try {
    await unpackTar({ ...work, reader });
  } finally {
    counter.destroy();
    gunzip.destroy();
    await reader.close();
  }
}

/** A stream is written down first: the end of a zip archive comes before its beginning. */
async function spool(source: Readable, path: string, limits: UnpackLimits): Promise<boolean> {
  let size = 0;
  const capped = new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size > limits.maxArchiveBytes) done(new StopUnpacking('too large'));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(source, capped, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return true;
  } catch (error) {
    if (error instanceof StopUnpacking) return false;
    throw error;
  }
}

function isZlibError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

/** What goes wrong while reading is the archive's fault unless the file system says so. */
function recordFailure(error: unknown, issues: IssueList): void {
  if (error instanceof StopUnpacking) return;
  if (error instanceof Error && 'syscall' in error) {
    throw new HostError(`cannot unpack an archive: ${error.message}`, { cause: error });
  }
  if (error instanceof Error && error.message.includes('strong encryption')) {
    issues.add('encrypted', '', 'an entry is encrypted, and nothing after it is read');
    issues.isComplete = false;
    return;
  }
  if (isZlibError(error) && error.code === 'Z_BUF_ERROR')
    issues.add('truncated', '', 'the compressed data end too early');
  else issues.add('broken', '', 'the archive cannot be read to its end');
}

async function unpackFile(path: string, work: Work): Promise<Unpacked['format']> {
  const handle = await open(path, 'r');
  try {
    const kind = await kindOf(handle);
    const { size: sizeBytes } = await handle.stat();
    if (sizeBytes > work.limits.maxArchiveBytes) {
      work.issues.add('too-large-total', '', `the archive has more than ${work.limits.maxArchiveBytes} bytes`);
      return 'unknown';
    }
    if (kind === 'unknown' || kind === 'other-compression') {
      work.issues.add('broken', '', kind === 'unknown' ? 'the file is empty' : 'compressed in a way that is not read');
      return 'unknown';
    }
    try {
      if (kind === 'zip') await unpackZip({ ...work, handle, sizeBytes });
      else await unpackTarFile(path, kind === 'gzip', work);
    } catch (error) {
      recordFailure(error, work.issues);
    }
    try {
      await work.place.finish();
    } catch (error) {
      recordFailure(error, work.issues);
    }
    return kind === 'zip' ? 'zip' : 'tar';
  } finally {
    await handle.close();
  }
}

/**
 * Unpacks an archive into a new folder. A bad archive is never an error: what was wrong is in the issues, and what could
 * be placed safely is on disk.
 */
export async function unpack(source: string | Readable, into: string, options: UnpackOptions = {}): Promise<Unpacked> {
  try {
    return await unpackAny(source, into, options);
  } catch (error) {
    if (isKnownError(error)) throw error;
    throw new HostError(`cannot unpack into ${into}: ${describeError(error)}`, { cause: error });
  }
}

async function unpackAny(source: string | Readable, into: string, options: UnpackOptions): Promise<Unpacked> {
  const limits: UnpackLimits = { ...defaultUnpackLimits, ...options.limits };
  const issues = createIssueList(limits.maxIssues);
  const meter = createMeter(limits, issues);
  await mkdir(into, { mode: 0o700 });
  const place = createPlace(into, limits, options.strip ?? 0, issues, meter);
  const work: Work = { place, issues, meter, limits };
  let format: Unpacked['format'] = 'unknown';
  if (typeof source === 'string') format = await unpackFile(source, work);
  else {
    const spooled = `${into}.archive`;
    try {
      if (await spool(source, spooled, limits)) format = await unpackFile(spooled, work);
      else issues.add('too-large-total', '', `the archive has more than ${limits.maxArchiveBytes} bytes`);
    } finally {
      await rm(spooled, { force: true });
    }
  }
  return {
    format,
    folder: into,
    files: place.files,
    bytes: meter.outputBytes,
    entries: meter.entries,
    issues: issues.issues,
    droppedIssues: issues.dropped,
    isComplete: issues.isComplete,
  };
}
