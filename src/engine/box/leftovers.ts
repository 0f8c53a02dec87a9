import { lstatSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { processStart } from '../../base/process.ts';
import { undoLeftover } from './undo.ts';

export interface CleanResult {
  readonly removed: readonly string[];
  /** Boxes that are in use, or that could not be removed, with the reason. */
  readonly kept: readonly string[];
}

export function boxesFolder(runtimeFolder: string): string {
  return join(runtimeFolder, 'boxes');
}

/** Nobody else may have put something there for us to undo. */
export function isOwnFolder(path: string): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

async function whyKept(folder: string): Promise<string | null> {
  if (!isOwnFolder(folder)) return 'not a folder of this user';
  const undo = await readFile(join(folder, 'undo'), 'latin1').catch(() => null);
  if (undo === null) return 'it has no undo list, so it is not a box';
  const [, pid, startedAt] = /^owner (\d+) (\d+)$/m.exec(undo) ?? [];
  if (pid !== undefined && processStart(Number(pid)) === startedAt) return `in use by process ${pid}`;
  return null;
}

/** Finds boxes whose Hotcell is gone, undoes what they did and removes them. Boxes in use are left alone. */
export async function cleanLeftovers(runtimeFolder: string): Promise<CleanResult> {
  const folder = boxesFolder(runtimeFolder);
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0 && !isOwnFolder(folder)) {
    throw new UsageError(`cannot clean ${folder}: it belongs to somebody else or others may write to it`);
  }
  const removed: string[] = [];
  const kept: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const reason = await whyKept(path);
    const complaint = reason ?? (await undoLeftover(path));
    if (complaint === null) removed.push(path);
    else kept.push(`${path}: ${complaint}`);
  }
  return { removed, kept };
}
