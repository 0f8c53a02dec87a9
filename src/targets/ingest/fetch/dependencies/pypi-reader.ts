import { type FileHandle, open } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';
import { sha256 } from '../../../../base/fingerprint.ts';
import { mebibyte } from '../../../../base/limits.ts';
import { FileSource } from '../../unpack/file-source.ts';
import { httpGet, readBody } from '../http-get.ts';
import { downloadFile } from '../pip-download.ts';
import type { Candidate } from '../pip-select.ts';
import type { PipSource } from '../pip-source.ts';
import type { PypiReader } from './pypi-resolver.ts';
import { type PythonMetadata, readPythonMetadata } from './python-metadata.ts';

const largestMetadataBytes = 4 * mebibyte;

async function readEntryText(handle: FileHandle, wanted: RegExp): Promise<string | undefined> {
  const { size } = await handle.stat();
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false, lazyEntries: true };
  const zip = await fromRandomAccessReaderPromise(new FileSource(handle), size, options);
  const isWanted = (entry: Entry): boolean => wanted.test(entry.fileNameRaw.toString('latin1'));
  for await (const entry of zip.eachEntry()) {
    if (!isWanted(entry)) continue;
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > largestMetadataBytes) return undefined;
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }
  return undefined;
}

/** The metadata file that the index gives apart; it counts only when its hash is told and fits. */
async function readApart({ file }: Candidate, { settings, context }: PipSource): Promise<string | undefined> {
  const told = file.metadata?.sha256;
  if (told === undefined || context.isOffline || file.url.startsWith('file:')) return undefined;
  try {
    const body = await readBody(await httpGet(`${file.url}.metadata`, '*/*', settings, context), largestMetadataBytes);
    return sha256(body) === told ? body.toString('utf8') : undefined;
  } catch {
    return undefined;
  }
}

async function readFromWheel(candidate: Candidate, source: PipSource): Promise<string | undefined> {
  const { path } = await downloadFile(candidate.file, source);
  const handle = await open(path, 'r');
  try {
    return await readEntryText(handle, /^[^/]+\.dist-info\/METADATA$/);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** What a package requires, from its metadata; a source archive says it for sure only after a build. */
export function createPypiReader(source: PipSource): PypiReader {
  const known = new Map<string, Promise<PythonMetadata | undefined>>();
  async function load(candidate: Candidate): Promise<PythonMetadata | undefined> {
    if (candidate.kind === 'sdist') return undefined;
    const text = (await readApart(candidate, source)) ?? (await readFromWheel(candidate, source));
    return text === undefined ? undefined : readPythonMetadata(text);
  }
  return {
    listCandidates: (name) => source.listCandidates(name),
    readMetadata(candidate) {
      const one = known.get(candidate.file.url) ?? load(candidate);
      known.set(candidate.file.url, one);
      return one;
    },
  };
}
