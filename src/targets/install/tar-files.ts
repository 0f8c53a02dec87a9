import { gunzipSync } from 'node:zlib';
import { TargetError } from '../../base/errors.ts';
import { readPax } from '../ingest/unpack/pax.ts';
import { blockBytes, isZeroBlock, readTarHeader } from '../ingest/unpack/tar-header.ts';

/** The plain files of an npm archive, in memory. Links and devices are left out, as npm leaves them out. */

export interface TarFile {
  /** Without the first folder, whatever it is called. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

const fileTypes = new Set(['0', '\0', '7']);
const longestPath = 1024;
const gzipMagic = Buffer.from('1f8b', 'hex');

function inflate(archive: Uint8Array, mostBytes: number): Buffer {
  const isCompressed = gzipMagic.equals(archive.subarray(0, 2));
  try {
    return isCompressed ? gunzipSync(archive, { maxOutputLength: mostBytes }) : Buffer.from(archive);
  } catch (cause) {
    throw new TargetError('an archive cannot be unpacked: it is broken or too large', { cause });
  }
}

/** A path that stays below its folder; undefined for every other. */
export function pathBelow(name: string): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const inside = parts.slice(1);
  const isSafe = inside.length > 0 && !parts.includes('..') && !name.includes('\0') && !name.includes('\ufffd');
  const path = inside.join('/');
  return isSafe && path.length <= longestPath ? path : undefined;
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8');
}

/** A file that comes twice is there once, as it came last. */
export function readTarFiles(archive: Uint8Array, mostBytes: number): readonly TarFile[] {
  const tar = inflate(archive, mostBytes);
  const files = new Map<string, TarFile>();
  let name: string | undefined;
  for (let at = 0; at + blockBytes <= tar.length; ) {
    const block = tar.subarray(at, at + blockBytes);
    at += blockBytes;
    const header = readTarHeader(block);
    if (header === undefined || Number.isNaN(header.size)) {
      if (isZeroBlock(block)) break;
      continue;
    }
    const hasBody = fileTypes.has(header.type) || 'LKNxgS'.includes(header.type);
    const size = hasBody ? header.size : 0;
    if (at + size > tar.length) break;
    const body = tar.subarray(at, at + size);
    at += Math.ceil(size / blockBytes) * blockBytes;
    if (header.type === 'L') name = textOf(body);
    else if (header.type === 'x') {
      const told = readPax(body).values.get('path');
      if (told !== undefined) name = textOf(told);
    } else if (header.type !== 'K' && header.type !== 'g' && header.type !== 'N') {
      const path = pathBelow(name ?? textOf(header.name));
      if (fileTypes.has(header.type) && path !== undefined)
        files.set(path, { path, bytes: body, isExecutable: (header.mode & 0o111) !== 0 });
      name = undefined;
    }
  }
  return [...files.values()];
}
