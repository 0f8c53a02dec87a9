import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink } from 'node:fs/promises';
import { mebibyte } from '../../../base/limits.ts';
import { nameIn, openFolder, openPlainFile } from './beneath.ts';

/** What stands in the folders of a box, as far as the caps allow. */

export interface Entry {
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly sizeBytes: number;
  readonly mode: number;
  readonly sha256: string | null;
  readonly linkTarget?: string;
  /** Changes whenever the content or the mode could have. */
  readonly stamp: string;
}

export interface Snapshot {
  /** Keyed by path inside the box; bytes of names as latin1, so that no two names fall together. */
  readonly entries: Map<string, Entry>;
  isTruncated: boolean;
}

const caps = {
  entries: 50_000,
  depth: 48,
  hashFileBytes: 64 * mebibyte,
  hashAllBytes: 512 * mebibyte,
  linkBytes: 4096,
};

interface Walk {
  readonly snapshot: Snapshot;
  /** Hashes of files whose stamp is the same are taken from here instead of reading the file again. */
  readonly known: ReadonlyMap<string, Entry>;
  hashedBytes: number;
}

export interface SnapshotRoot {
  readonly hostFolder: string;
  readonly insidePath: string;
}

export async function takeSnapshot(
  roots: readonly SnapshotRoot[],
  known: ReadonlyMap<string, Entry>,
): Promise<Snapshot> {
  const walk: Walk = { snapshot: { entries: new Map(), isTruncated: false }, known, hashedBytes: 0 };
  for (const { hostFolder, insidePath } of roots) {
    const folder = await openFolder(hostFolder);
    try {
      await walkFolder(walk, folder, insidePath, 0);
    } finally {
      await folder.close();
    }
  }
  return walk.snapshot;
}

async function walkFolder(walk: Walk, folder: FileHandle, inside: string, depth: number): Promise<void> {
  const names = await readdir(`/proc/self/fd/${folder.fd}`, { encoding: 'buffer' });
  for (const name of names.sort(Buffer.compare)) {
    if (walk.snapshot.entries.size >= caps.entries || depth >= caps.depth) {
      walk.snapshot.isTruncated = true;
      return;
    }
    await addEntry(walk, folder, name, `${inside}/${name.toString('latin1')}`, depth).catch(() => {
      // It went away, or was swapped for a link, between listing and looking: the next diff will see what it became.
      walk.snapshot.isTruncated = true;
    });
  }
}

function stampOf(stat: BigIntStats): string {
  return `${stat.ino}:${stat.ctimeNs}:${stat.size}:${stat.mode}`;
}

async function addEntry(walk: Walk, folder: FileHandle, name: Buffer, inside: string, depth: number): Promise<void> {
  const path = nameIn(folder, name);
  const stat = await lstat(path, { bigint: true });
  const basics = {
    sizeBytes: Number(stat.size),
    mode: Number(stat.mode & 0o7777n),
    sha256: null,
    stamp: stampOf(stat),
  };
  const { entries } = walk.snapshot;
  if (stat.isDirectory()) {
    entries.set(inside, { ...basics, type: 'folder', sizeBytes: 0, stamp: String(stat.mode) });
    const inner = await openFolder(path);
    await walkFolder(walk, inner, inside, depth + 1).finally(() => inner.close());
  } else if (stat.isSymbolicLink()) {
    const linkTarget = (await readlink(path, { encoding: 'buffer' })).subarray(0, caps.linkBytes).toString('latin1');
    entries.set(inside, { ...basics, type: 'link', linkTarget });
  } else if (stat.isFile()) {
    entries.set(inside, {
      ...basics,
      type: 'file',
      sha256: await hashOf(walk, path, inside, basics.stamp, basics.sizeBytes),
    });
  } else {
    entries.set(inside, { ...basics, type: 'other' });
  }
}

async function hashOf(
  walk: Walk,
  path: Buffer,
  inside: string,
  stamp: string,
  sizeBytes: number,
): Promise<string | null> {
  const before = walk.known.get(inside);
  if (before?.stamp === stamp) return before.sha256;
  if (sizeBytes > caps.hashFileBytes || walk.hashedBytes + sizeBytes > caps.hashAllBytes) return null;
  walk.hashedBytes += sizeBytes;
  const file = await openPlainFile(path, inside);
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(Math.min(mebibyte, sizeBytes + 1));
    for (let total = 0; total <= caps.hashFileBytes; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/** The entry of a folder that the host made. */
export function folderEntry(mode: number): Entry {
  return { type: 'folder', sizeBytes: 0, mode, sha256: null, stamp: String(constants.S_IFDIR | mode) };
}

/** Writes a file in an open folder; what stood there is replaced, and a link there is not followed. */
export async function writeFileIn(
  folder: FileHandle,
  name: string,
  content: Uint8Array,
  mode: number,
  owner: { readonly uid: number; readonly gid: number },
): Promise<Entry> {
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(nameIn(folder, name) as unknown as string, flags, 0o600);
  try {
    await file.chown(owner.uid, owner.gid);
    await file.writeFile(content);
    await file.chmod(mode);
    const stat = await file.stat({ bigint: true });
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { type: 'file', sizeBytes: content.length, mode, sha256, stamp: stampOf(stat) };
  } finally {
    await file.close();
  }
}
