import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Small files that must be whole or not there, whatever happens in between. */

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at);
}

function writeWith(path: string, flags: string, mode: number, bytes: Uint8Array): void {
  const descriptor = openSync(path, flags, mode);
  try {
    writeAll(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function writeDurably(path: string, content: string | Uint8Array, mode: number): void {
  const temporary = `${path}.${process.pid}.new`;
  writeWith(temporary, 'w', mode, typeof content === 'string' ? Buffer.from(content) : content);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}
