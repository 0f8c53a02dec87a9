import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Completeness, type Event, momentNow } from '../../base/event-schema.ts';
import { mebibyte } from '../../base/limits.ts';
import type { Box, DiskChange } from '../box/contract.ts';
import type { SensorDescription, Sighting } from './contract.ts';
import { bytesField } from './fields.ts';

/**
 * The sensor `disk-diff`: what a run created, changed and removed in the folders of its box, with hashes and, up to caps,
 * the content. It sees the end only: what was made and removed again in between is for the sensors on system calls.
 */

export const diskDiff: SensorDescription = {
  id: 'disk-diff',
  title: 'what a run created, changed and removed in the folders of its box',
  backends: [],
  sees: ['disk-change', 'leak'],
  cannot: [
    { id: 'in-between', path: '', what: 'a file that was made and removed again', effect: 'open' },
    {
      id: 'host-folders',
      path: 'files',
      what: 'changes in a folder of the host that the policy lets it write',
      effect: 'open',
    },
    {
      id: 'large-content',
      path: '',
      what: 'content of files above 4 MiB, or beyond 64 MiB in all: only their hashes',
      effect: 'open',
    },
  ],
};

const caps = { fileBytes: 4 * mebibyte, allBytes: 64 * mebibyte, files: 2000 } as const;

export interface KeptFile {
  /** Path inside the box. */
  readonly path: Buffer;
  readonly sha256: string;
  readonly content: Buffer;
}

export interface DiskRecord {
  readonly sightings: readonly Sighting[];
  readonly completeness: Completeness;
}

function fieldsOf(change: DiskChange, keptAs: string | null): Event['fields'] {
  const { kind, type, sizeBytes, mode, sha256, linkTarget, pathBytes } = change;
  return {
    path: bytesField(pathBytes),
    change: kind,
    type,
    sizeBytes,
    mode,
    ...(sha256 === null ? {} : { sha256 }),
    ...(linkTarget === undefined ? {} : { linkTarget: bytesField(Buffer.from(linkTarget)) }),
    ...(keptAs === null ? {} : { keptAs }),
  };
}

/**
 * Content is kept under its hash, because names that a target chose have no business on the host's disk; `index.json`
 * tells which name each had. Call it when the target has ended and before the box is closed.
 */
export async function recordDisk(
  box: Pick<Box, 'diff' | 'get'>,
  folder: string,
  onContent: (file: KeptFile) => void,
): Promise<DiskRecord> {
  const { changes, isTruncated } = await box.diff();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const at = momentNow();
  const index: { path: Event['fields'][string]; keptAs: string }[] = [];
  const sightings: Sighting[] = [];
  let keptBytes = 0;
  let leftOut = 0;
  for (const change of changes) {
    const content = isWanted(change, keptBytes, index.length) ? await readContent(box, change) : null;
    const keptAs = content === null ? null : (change.sha256 ?? null);
    if (content !== null && keptAs !== null) {
      keptBytes += content.length;
      await writeFile(join(folder, keptAs), content, { mode: 0o600 });
      index.push({ path: bytesField(change.pathBytes), keptAs });
      onContent({ path: change.pathBytes, sha256: keptAs, content });
    } else if (change.type === 'file' && change.kind !== 'removed') leftOut += 1;
    sightings.push({ kind: 'disk-change', at, fields: fieldsOf(change, keptAs) });
  }
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600 });
  return {
    sightings,
    completeness: {
      source: 'disk-diff',
      attachedBeforeExec: true,
      received: changes.length,
      dropped: isTruncated ? 1 : 0,
      merged: 0,
      truncated: leftOut,
      missingPoints: [],
      heartbeats: { expected: 0, seen: 0 },
    },
  };
}

function isWanted({ kind, type, sizeBytes }: DiskChange, keptBytes: number, files: number): boolean {
  const isSmall = sizeBytes <= caps.fileBytes && keptBytes + sizeBytes <= caps.allBytes;
  return kind !== 'removed' && type === 'file' && isSmall && files < caps.files;
}

/** Null when it went away or was swapped since it was listed. */
async function readContent(box: Pick<Box, 'get'>, { pathBytes }: DiskChange): Promise<Buffer | null> {
  return box.get(pathBytes, caps.fileBytes).catch(() => null);
}
