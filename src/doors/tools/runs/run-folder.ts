import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { RunCaller } from './caller.ts';

/** Where runs are kept that nobody gave a folder of their own. */
export function runsFolder(home: string): string {
  return join(home, 'runs');
}

/** What a run may be called, so that a name is never a path. */
export const runNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Sorts by time, and two runs in one second do not meet. */
export function runName(now: Date, suffix = ''): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${process.pid}${suffix}`;
}

export interface RunFolderWish {
  /** The flag that named it, for messages. */
  readonly flag: string;
  /** Tells runs of one command apart. */
  readonly part?: string | undefined;
}

/** A folder of its own for each run: nothing that is there already is mixed with it. */
export async function openRunFolder(wanted: string | undefined, door: RunCaller, wish: RunFolderWish): Promise<string> {
  const { flag, part } = wish;
  if (wanted === undefined) {
    const name = runName(new Date(), part === undefined ? '' : `-${part}`);
    const folder = join(runsFolder(door.settings.values.home), name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }
  const folder = resolve(door.caller.folder, wanted, part ?? '');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length === 0) return folder;
  } catch (cause) {
    throw new UsageError(`${flag} ${JSON.stringify(wanted)}: ${(cause as Error).message}`, { cause });
  }
  throw new UsageError(`${flag} ${JSON.stringify(wanted)}: the folder is not empty`, { hint: 'name a new one' });
}
