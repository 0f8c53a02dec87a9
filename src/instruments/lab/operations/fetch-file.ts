import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import type { FetchResult } from '../fetch/contract.ts';
import { fetchSample } from '../fetch/index.ts';
import type { Lab } from '../lab.ts';
import { type AddedSample, mostSampleBytes } from '../samples/room.ts';

/** A file of the internet becomes a sample. It is fetched on this side and laid down where the samples are. */

export interface FetchFileOrder {
  readonly url: string;
  readonly name?: string;
  readonly headers: readonly string[];
  readonly isOverwriteAllowed: boolean;
  readonly isCertificateIgnored: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface FetchedFile {
  readonly fetched: FetchResult;
  readonly added: AddedSample;
}

export async function fetchFile(lab: Lab, order: FetchFileOrder): Promise<FetchedFile> {
  const { url, headers, isCertificateIgnored, timeoutMs, signal } = order;
  const folder = await mkdtemp(join(tmpdir(), 'hotcell-fetch-'));
  const file = join(folder, 'sample');
  try {
    const handle = await open(file, 'wx', 0o600);
    const fetched = await fetchSample({
      url,
      headers,
      maxBytes: mostSampleBytes,
      timeoutMs,
      allow: { hosts: lab.options.allowedHosts },
      isCertificateIgnored,
      signal,
      sink: {
        write: (chunk) => handle.appendFile(chunk),
        close: () => handle.close(),
        remove: async () => {
          await handle.close().catch(() => {});
        },
      },
    });
    const added = await lab.samples.add({
      name: order.name ?? fetched.suggestedName,
      source: { file },
      how: `fetched from ${fetched.finalUrl}`,
      parent: null,
      originalName: fetched.suggestedName,
      isOverwriteAllowed: order.isOverwriteAllowed,
      signal,
    });
    if (added.sha256 !== fetched.sha256) {
      throw new HostError('what was laid down is not what was fetched', { code: 'DOWNLOAD_FAILED' });
    }
    return { fetched, added };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
