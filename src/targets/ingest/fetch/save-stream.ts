import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { TargetError } from '../../../base/errors.ts';

/** Writes a stream to a new file, with a cap, and says what its hashes are. A file that was not finished is removed. */
export async function saveStream(
  source: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
  algorithms: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const hashes = algorithms.map((algorithm) => ({ algorithm, hash: createHash(algorithm) }));
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  let isDone = false;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new TargetError(`a download is larger than ${maxBytes} bytes`);
      for (const { hash } of hashes) hash.update(chunk);
      await file.writeFile(chunk);
    }
    isDone = true;
  } finally {
    await file.close();
    if (!isDone) await rm(path, { force: true });
  }
  return new Map(hashes.map(({ algorithm, hash }) => [algorithm, hash.digest()]));
}
