import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, HostError } from '../../../base/errors.ts';
import { gibibyte, minuteMs } from '../../../base/limits.ts';
import { saveStream } from '../../../targets/ingest/fetch/save-stream.ts';
import { importOsv, type OsvIndexMeta, readIndexMeta } from '../inspect/advisories/index.ts';
import { osvFolder } from './sources.ts';

/** The OSV database on this machine: brought up to date from where it is published, or from files at hand. */

export const osvBucket = 'https://osv-vulnerabilities.storage.googleapis.com';
const ecosystems = ['npm', 'PyPI'] as const;
const largestBytes = 4 * gibibyte;
const timeoutMs = 30 * minuteMs;

export interface DatabaseOptions {
  readonly home: string;
  readonly now: Date;
  readonly onProgress: (what: string) => void;
}

export async function importDatabase(paths: readonly string[], options: DatabaseOptions): Promise<OsvIndexMeta> {
  const { home, now, onProgress } = options;
  await mkdir(home, { recursive: true, mode: 0o700 });
  return importOsv(paths, {
    folder: osvFolder(home),
    now,
    onProgress: (records) => onProgress(`${records} records`),
  });
}

async function download(url: string, path: string): Promise<void> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok || answer.body === null) throw new HostError(`it answered ${answer.status}`);
    await saveStream(answer.body, path, largestBytes, []);
  } catch (cause) {
    throw new HostError(`cannot fetch ${url}: ${describeError(cause)}`, {
      cause,
      hint: 'fetch it elsewhere and use hotcell db import',
    });
  }
}

export async function updateDatabase(options: DatabaseOptions, bucket: string = osvBucket): Promise<OsvIndexMeta> {
  await mkdir(options.home, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(options.home, 'osv-download-'));
  try {
    const paths: string[] = [];
    for (const ecosystem of ecosystems) {
      options.onProgress(`fetching advisories for ${ecosystem}`);
      const path = join(folder, `${ecosystem}.zip`);
      await download(`${bucket}/${ecosystem}/all.zip`, path);
      paths.push(path);
    }
    return await importDatabase(paths, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function describeDatabase(home: string): OsvIndexMeta | undefined {
  return readIndexMeta(osvFolder(home));
}
