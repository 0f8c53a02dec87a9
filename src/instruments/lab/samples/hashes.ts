import { createHash, webcrypto } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The three digests that samples are known by. */

export interface SampleHashes {
  readonly sha256: string;
  readonly sha1: string;
  readonly md5: string;
}

const stepBytes = 4 * 1024 * 1024;

async function md5Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash('md5');
  for (let at = 0; at < bytes.length; at += stepBytes) {
    hash.update(bytes.subarray(at, at + stepBytes));
    // Others have their turn between two steps.
    if (at + stepBytes < bytes.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return hash.digest('hex');
}

async function digest(name: 'SHA-1' | 'SHA-256', bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest(name, bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}

/** Two of the three on other threads. */
export async function hashBytes(bytes: Uint8Array): Promise<SampleHashes> {
  const [sha256, sha1, md5] = await Promise.all([digest('SHA-256', bytes), digest('SHA-1', bytes), md5Of(bytes)]);
  return { sha256, sha1, md5 };
}

/** For files of this host that are too large to hold. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<SampleHashes> {
  const hashes = ['sha256', 'sha1', 'md5'].map((name) => createHash(name));
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal === undefined ? {} : { signal }) });
  for await (const chunk of stream) for (const hash of hashes) hash.update(chunk as Buffer);
  const [sha256 = '', sha1 = '', md5 = ''] = hashes.map((hash) => hash.digest('hex'));
  return { sha256, sha1, md5 };
}
