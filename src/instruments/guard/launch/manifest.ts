import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sha256 } from '../../../base/fingerprint.ts';
import { asArray, asNumber, asObject, asString } from '../../../base/json-shape.ts';
import { mebibyte } from '../../../base/limits.ts';

/**
 * What is in a tree. Two looks at it:
 *
 *     seal        path, size, mode, change time and inode of everything, as one hash: every start, no file is opened
 *     manifest    path, size, mode and hash of everything: when the seal does not fit, and when somebody asks
 *
 * The kernel alone sets the change time of a file, so whoever may not set the clock cannot change a file and keep the seal.
 */

export type ManifestEntry =
  | { readonly path: string; readonly mode: number; readonly size: number; readonly sha256: string }
  | { readonly path: string; readonly link: string };

const mostEntries = 200_000;

interface Found {
  readonly path: string;
  readonly isLink: boolean;
}

/** Everything but folders, below `root`; sockets and devices count as files, and then fit no manifest. */
function walk(root: string): readonly Found[] {
  const found: Found[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined && found.length < mostEntries; folder = waiting.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else found.push({ path, isLink: entry.isSymbolicLink() });
    }
  }
  return found;
}

export function sealOf(root: string): string {
  const lines = walk(root).map(({ path }) => {
    const { size, mode, ctimeMs, ino, uid } = lstatSync(`${root}/${path}`);
    return `${path}\0${size} ${mode} ${ctimeMs} ${ino} ${uid}`;
  });
  return sha256(lines.sort().join('\n'));
}

const smallBytes = 4 * mebibyte;
/** So many small files between two breaths of everything else in this process. */
const filesPerBreath = 64;

async function hashLarge(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function readEntryOf(root: string, { path, isLink }: Found): Promise<ManifestEntry> {
  const full = join(root, path);
  if (isLink) return { path, link: readlinkSync(full) };
  const stat = lstatSync(full);
  const basics = { path, mode: stat.mode & 0o7777, size: stat.size };
  if (!stat.isFile()) return { ...basics, sha256: 'no plain file' };
  return { ...basics, sha256: stat.size > smallBytes ? await hashLarge(full) : sha256(readFileSync(full)) };
}

export async function readTree(root: string): Promise<readonly ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const found of walk(root)) {
    if (entries.length % filesPerBreath === 0) await setImmediate();
    entries.push(await readEntryOf(root, found));
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One entry in a line, so that two manifests can be compared by eye. */
export function formatManifest(entries: readonly ManifestEntry[]): string {
  return `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`;
}

function readEntry(value: unknown): ManifestEntry | null {
  const { path, mode, size, sha256: hash, link } = asObject(value);
  const name = asString(path);
  const target = asString(link);
  if (name === undefined) return null;
  if (target !== undefined) return { path: name, link: target };
  const bits = asNumber(mode);
  const bytes = asNumber(size);
  const text = asString(hash);
  return bits === undefined || bytes === undefined || text === undefined
    ? null
    : { path: name, mode: bits, size: bytes, sha256: text };
}

/** Null where it is none. */
export function parseManifest(text: string): readonly ManifestEntry[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const entries = asArray(value).map(readEntry);
  return entries.includes(null) ? null : entries.filter((entry) => entry !== null);
}
