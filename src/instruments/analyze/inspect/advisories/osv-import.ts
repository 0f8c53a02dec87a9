import { opendirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { describeError, HostError, UsageError } from '../../../../base/errors.ts';
import { gibibyte, mebibyte } from '../../../../base/limits.ts';
import { type OsvIndexMeta, OsvIndexWriter } from './osv-index.ts';
import { parseOsv } from './osv-record.ts';

/** Makes an index of a folder of OSV records or of a zip of them (as osv.dev publishes), record by record. */

const largestRecordBytes = 16 * mebibyte;
const mostRecords = 5_000_000;
const mostTotalBytes = 64 * gibibyte;
const deepestFolder = 16;

export interface ImportOptions {
  /** Where the index goes; what is there is replaced when the import has succeeded. */
  readonly folder: string;
  readonly now: Date;
  readonly onProgress?: (records: number) => void;
}

function addText(writer: OsvIndexWriter, text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    writer.skip();
    return;
  }
  const advisory = parseOsv(value, 'OSV');
  if (advisory === undefined) writer.skip();
  else writer.add(advisory);
}

class Counter {
  #records = 0;
  #bytes = 0;
  readonly #onProgress: ((records: number) => void) | undefined;

  constructor(onProgress: ((records: number) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  count(bytes: number): void {
    this.#records += 1;
    this.#bytes += bytes;
    if (this.#records > mostRecords || this.#bytes > mostTotalBytes)
      throw new UsageError('cannot import: more records or bytes than any OSV database has');
    if (this.#records % 1000 === 0) this.#onProgress?.(this.#records);
  }
}

function importFolder(folder: string, writer: OsvIndexWriter, counter: Counter): void {
  const waiting = [{ path: folder, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const directory = opendirSync(at.path);
    try {
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
        const path = join(at.path, entry.name);
        if (entry.isDirectory() && at.depth < deepestFolder) waiting.push({ path, depth: at.depth + 1 });
        if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
        const { size } = statSync(path);
        counter.count(size);
        if (size > largestRecordBytes) writer.skip();
        else addText(writer, readFileSync(path, 'utf8'));
      }
    } finally {
      directory.closeSync();
    }
  }
}

/** Undefined when it unpacks to more than a record may have; what the zip says about the size is not believed. */
async function readEntry(stream: Readable): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestRecordBytes) {
      stream.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function importZip(path: string, writer: OsvIndexWriter, counter: Counter): Promise<void> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('.json')) continue;
      counter.count(entry.uncompressedSize);
      const text = await readEntry(await zip.openReadStreamPromise(entry));
      if (text === undefined) writer.skip();
      else addText(writer, text);
    }
  } finally {
    zip.close();
  }
}

/** Several folders and zips make one index together. */
export async function importOsv(from: string | readonly string[], options: ImportOptions): Promise<OsvIndexMeta> {
  const paths = typeof from === 'string' ? [from] : from;
  for (const path of paths) {
    if (statSync(path, { throwIfNoEntry: false }) === undefined)
      throw new UsageError(`cannot import ${path}: it does not exist`);
  }
  const writer = new OsvIndexWriter(options.folder);
  const counter = new Counter(options.onProgress);
  try {
    for (const path of paths) {
      if (statSync(path).isDirectory()) importFolder(path, writer, counter);
      else await importZip(path, writer, counter);
    }
    return writer.finish(options.now);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new HostError(`cannot import ${paths.join(', ')}: ${describeError(cause)}`, { cause });
  } finally {
    writer.close();
  }
}
