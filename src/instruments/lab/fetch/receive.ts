import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TargetError } from '../../../base/errors.ts';
import type { FetchSink } from './contract.ts';

/** Takes the body as it is served, counted and hashed on the way; nothing is unpacked. */

export interface Received {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly sha1: string;
  readonly md5: string;
}

export async function receiveBody(response: IncomingMessage, sink: FetchSink, maxBytes: number): Promise<Received> {
  const claimed = Number(response.headers['content-length'] ?? 0);
  if (claimed > maxBytes) throw tooLarge(maxBytes);
  const hashes = [createHash('sha256'), createHash('sha1'), createHash('md5')] as const;
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    for (const hash of hashes) hash.update(chunk);
    await sink.write(chunk);
  }
  if (!response.complete) throw new TargetError('the connection ended before the whole file was there');
  const [sha256, sha1, md5] = hashes;
  return { sizeBytes, sha256: sha256.digest('hex'), sha1: sha1.digest('hex'), md5: md5.digest('hex') };
}

function tooLarge(maxBytes: number): TargetError {
  return new TargetError(`the file is larger than ${maxBytes} bytes`);
}
