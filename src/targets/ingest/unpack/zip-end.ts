import type { FileHandle } from 'node:fs/promises';

/**
 * A zip archive ends with a record that says how long the comment after it is. Signed bundles have their signature
 * behind that, and some programs accept anything there, so the end is looked for as they do: the last such record.
 */

const recordBytes = 22;
const longestComment = 0xffff;
const signatureEnds = ['MCPB_SIG_END', 'DXT_SIG_END'];

export interface ZipEnd {
  /** Where the archive ends. */
  readonly end: number;
  readonly extra: 'none' | 'signature' | 'unknown';
}

export async function findZipEnd(handle: FileHandle, sizeBytes: number): Promise<ZipEnd | undefined> {
  const length = Math.min(sizeBytes, 2 * (recordBytes + longestComment));
  const tail = Buffer.alloc(length);
  const { bytesRead } = await handle.read(tail, 0, length, sizeBytes - length);
  if (bytesRead !== length) return undefined;
  for (let at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1'); at >= 0; ) {
    const commentEnd =
      at + recordBytes <= length ? at + recordBytes + tail.readUInt16LE(at + 20) : Number.POSITIVE_INFINITY;
    if (commentEnd <= length) {
      const end = sizeBytes - length + commentEnd;
      if (commentEnd === length) return { end, extra: 'none' };
      const isSigned = signatureEnds.some((mark) => tail.subarray(-mark.length).toString('latin1') === mark);
      return { end, extra: isSigned ? 'signature' : 'unknown' };
    }
    at = at === 0 ? -1 : tail.lastIndexOf('PK\x05\x06', at - 1, 'latin1');
  }
  return undefined;
}
