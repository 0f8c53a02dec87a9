import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { HostError } from '../../../base/errors.ts';
import { codeOf, nameIn } from './beneath.ts';
import type { Owner } from './open-folders.ts';

/** Writing a file into an open folder of a box. */

const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const replacing =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_TRUNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK |
  constants.O_NOCTTY;
/** Until it has its content and its owner. */
const modeMeanwhile = 0o600;

const reasons: Readonly<Record<string, string>> = {
  ELOOP: 'a link stands there, which is not followed',
  EISDIR: 'a folder stands there',
  ENXIO: 'what stands there is not a plain file',
  ENOSPC: 'the disk of the box is full',
  EDQUOT: 'the disk of the box is full',
  ENAMETOOLONG: 'the name is too long',
};

/** Why a file could not be written, without the name, which may be hostile. */
export function whyNotWritten(error: unknown): string {
  if (error instanceof HostError) return error.message;
  const code = codeOf(error);
  return reasons[code] ?? code;
}

/** What stood there is replaced, and a link there is not followed. */
export function writeFileIn(folder: number, name: string, content: Uint8Array, mode: number, owner: Owner): void {
  const path = nameIn(folder, name);
  const { file, isNew } = openToWrite(path);
  try {
    if (!isNew && !fstatSync(file).isFile()) throw new HostError('what stands there is not a plain file');
    fchownSync(file, owner.uid, owner.gid);
    for (let at = 0; at < content.length; ) at += writeSync(file, content, at);
    fchmodSync(file, mode);
  } catch (error) {
    // Half a file would pass for the target's.
    if (isNew) removeIfThere(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function openToWrite(path: Buffer): { readonly file: number; readonly isNew: boolean } {
  try {
    return { file: openSync(path, creating, modeMeanwhile), isNew: true };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return { file: openSync(path, replacing, modeMeanwhile), isNew: false };
  }
}

function removeIfThere(path: Buffer): void {
  try {
    unlinkSync(path);
  } catch {
    // The target was quicker.
  }
}
