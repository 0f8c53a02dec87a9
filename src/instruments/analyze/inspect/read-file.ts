import { join, posix } from 'node:path';
import { mebibyte } from '../../../base/limits.ts';
import { type FileStart, readRegularFileSync } from '../../../base/regular-file.ts';
import type { Inspected } from './contract.ts';

export const largestTextBytes = 32 * mebibyte;

export type FileBytes = FileStart | { readonly problem: string };

/** A path that was listed may still lead out or be something else than a file by now: no link is followed, nothing waits. */
export function readBytes(root: string, path: string, mostBytes: number = largestTextBytes): FileBytes {
  const normal = posix.normalize(path);
  if (normal.startsWith('/') || normal === '..' || normal.startsWith('../'))
    return { problem: 'leads out of the target' };
  try {
    return readRegularFileSync(join(root, normal), { mostBytes, links: 'refused' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) return { problem: 'is not a regular file' };
    return { problem: code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${code})` };
  }
}

export type FileText = { readonly text: string } | { readonly problem: string };

/** The whole of a text file, or why not. Half of a manifest is worse than none. */
export function readText(root: string, path: string, mostBytes: number = largestTextBytes): FileText {
  const read = readBytes(root, path, mostBytes);
  if ('problem' in read) return read;
  if (!read.isWhole) return { problem: `has ${read.sizeBytes} bytes, more than ${mostBytes}` };
  return { text: new TextDecoder('utf-8').decode(read.bytes) };
}

/** The parsed content of a JSON file, or undefined when it is absent, too large or broken. */
export function readJson({ root, files }: Inspected, path: string): unknown {
  if (!files.includes(path)) return undefined;
  const read = readText(root, path);
  if ('problem' in read) return undefined;
  try {
    return JSON.parse(read.text);
  } catch {
    return undefined;
  }
}
