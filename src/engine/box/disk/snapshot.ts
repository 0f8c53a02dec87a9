import { createHash, hash } from 'node:crypto';
import { closeSync, lstatSync, readdirSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { mebibyte } from '../../../base/limits.ts';
import { nameIn, openFolder, openPlainFile, type PlainFile } from './beneath.ts';
import { Pace } from './pace.ts';

/** What stands in the folders of a box, as far as the caps allow. */

export interface Entry {
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  readonly mode: number;
  readonly sha256: string | null;
  readonly linkTarget?: string;
}

export interface Snapshot {
  /** Keyed by path inside the box; bytes of names as latin1, so that no two names fall together. */
  readonly entries: Map<string, Entry>;
  isTruncated: boolean;
}

/** They are for what the target made: what the host put there is looked at in any case. */
export const snapshotCaps = {
  entries: 50_000,
  depth: 48,
  hashFileBytes: 64 * mebibyte,
  hashAllBytes: 512 * mebibyte,
  linkBytes: 4096,
};

interface Walk {
  readonly snapshot: Snapshot;
  readonly known: ReadonlyMap<string, Entry>;
  readonly caps: typeof snapshotCaps;
  readonly pace: Pace;
  readonly buffer: Buffer;
  hashedBytes: number;
  unknownEntries: number;
}

export interface SnapshotRoot {
  readonly hostFolder: string;
  readonly insidePath: string;
}

export async function takeSnapshot(
  roots: readonly SnapshotRoot[],
  known: ReadonlyMap<string, Entry>,
  caps: typeof snapshotCaps = snapshotCaps,
): Promise<Snapshot> {
  const snapshot: Snapshot = { entries: new Map(), isTruncated: false };
  const buffer = Buffer.allocUnsafe(mebibyte);
  const walk: Walk = { snapshot, known, caps, pace: new Pace(), buffer, hashedBytes: 0, unknownEntries: 0 };
  for (const { hostFolder, insidePath } of roots) {
    const folder = openFolder(hostFolder);
    try {
      await walkFolder(walk, folder, insidePath, 0);
    } finally {
      closeSync(folder);
    }
  }
  return snapshot;
}

async function walkFolder(walk: Walk, folder: number, insideFolder: string, depth: number): Promise<void> {
  const found = readdirSync(`/proc/self/fd/${folder}`, { encoding: 'buffer', withFileTypes: true });
  for (const entry of found.sort((a, b) => Buffer.compare(a.name, b.name))) {
    if (walk.pace.isDue) await walk.pace.rest();
    const inside = `${insideFolder}/${entry.name.toString('latin1')}`;
    if (!isWithinCaps(walk, inside, depth)) continue;
    try {
      // Awaited only where there is something to wait for: there may be many thousand files.
      const add = entry.isFile() ? addFile : addOther;
      const adding = add(walk, nameIn(folder, entry.name), inside, depth);
      if (adding !== undefined) await adding;
    } catch {
      // It went away, or was swapped for a link, between listing and looking: the next diff will see what it became.
      walk.snapshot.isTruncated = true;
    }
  }
}

function isWithinCaps(walk: Walk, inside: string, depth: number): boolean {
  if (walk.known.has(inside)) return true;
  if (walk.unknownEntries >= walk.caps.entries || depth >= walk.caps.depth) {
    walk.snapshot.isTruncated = true;
    return false;
  }
  walk.unknownEntries += 1;
  return true;
}

function basicsOf(stat: Stats): Pick<Entry, 'sizeBytes' | 'mode' | 'sha256'> {
  return { sizeBytes: stat.size, mode: stat.mode & 0o7777, sha256: null };
}

function addOther(walk: Walk, path: Buffer, inside: string, depth: number): Promise<void> | undefined {
  const { entries } = walk.snapshot;
  const stat = lstatSync(path);
  const basics = basicsOf(stat);
  if (stat.isDirectory()) {
    entries.set(inside, { ...basics, type: 'folder', sizeBytes: 0 });
    return addFolder(walk, path, inside, depth);
  }
  if (stat.isSymbolicLink()) {
    const target = readlinkSync(path, { encoding: 'buffer' }).subarray(0, walk.caps.linkBytes);
    entries.set(inside, { ...basics, type: 'link', linkTarget: target.toString('latin1') });
  } else {
    entries.set(inside, { ...basics, type: stat.isFile() ? 'file' : 'other' });
  }
  return undefined;
}

async function addFolder(walk: Walk, path: Buffer, inside: string, depth: number): Promise<void> {
  const folder = openFolder(path);
  try {
    await walkFolder(walk, folder, inside, depth + 1);
  } finally {
    closeSync(folder);
  }
}

/**
 * The content is read even where size and times are as they were. A file on tmpfs that is mapped into memory changes
 * without a trace in its times, so none of them, not even that of its last change, proves that it is the same.
 */
function addFile(walk: Walk, path: Buffer, inside: string, depth: number): Promise<void> | undefined {
  let opened: PlainFile;
  try {
    opened = openPlainFile(path, inside);
  } catch {
    // It may not be read, or is something else by now.
    walk.snapshot.isTruncated = true;
    return addOther(walk, path, inside, depth);
  }
  if (opened.stat.size > walk.buffer.length) return addLargeFile(walk, opened, inside);
  const { file, stat } = opened;
  try {
    const basics = basicsOf(stat);
    const sha256 = isToBeHashed(walk, inside, basics)
      ? hash('sha256', walk.buffer.subarray(0, readWhole(file, walk.buffer, stat.size)), 'hex')
      : null;
    walk.snapshot.entries.set(inside, { ...basics, type: 'file', sha256 });
  } finally {
    closeSync(file);
  }
  return undefined;
}

async function addLargeFile(walk: Walk, { file, stat }: PlainFile, inside: string): Promise<void> {
  try {
    const basics = basicsOf(stat);
    const sha256 = isToBeHashed(walk, inside, basics) ? await hashLarge(walk, file, stat.size) : null;
    walk.snapshot.entries.set(inside, { ...basics, type: 'file', sha256 });
  } finally {
    closeSync(file);
  }
}

function isToBeHashed(walk: Walk, inside: string, now: Pick<Entry, 'sizeBytes' | 'mode'>): boolean {
  const { known, caps } = walk;
  const before = known.get(inside);
  // As many bytes as the host put there itself, and no more.
  if (before?.type === 'file' && before.sizeBytes === now.sizeBytes && before.mode === now.mode) return true;
  if (now.sizeBytes > caps.hashFileBytes || walk.hashedBytes + now.sizeBytes > caps.hashAllBytes) return false;
  walk.hashedBytes += now.sizeBytes;
  return true;
}

export function readWhole(file: number, buffer: Buffer, sizeBytes: number): number {
  let at = 0;
  while (at < sizeBytes) {
    const bytes = readSync(file, buffer, at, sizeBytes - at, null);
    if (bytes === 0) break;
    at += bytes;
  }
  return at;
}

async function hashLarge({ buffer, pace }: Walk, file: number, sizeBytes: number): Promise<string> {
  const digest = createHash('sha256');
  for (let total = 0; total < sizeBytes; ) {
    const bytes = readSync(file, buffer, 0, Math.min(buffer.length, sizeBytes - total), null);
    if (bytes === 0) break;
    digest.update(buffer.subarray(0, bytes));
    total += bytes;
    if (pace.isDue) await pace.rest();
  }
  return digest.digest('hex');
}

/** The entry of a folder that the host made. */
export function folderEntry(mode: number): Entry {
  return { type: 'folder', sizeBytes: 0, mode, sha256: null };
}

export function fileEntry(content: Uint8Array, mode: number): Entry {
  return { type: 'file', sizeBytes: content.length, mode, sha256: hash('sha256', content, 'hex') };
}
