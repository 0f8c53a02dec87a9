import type { Analyser } from '../contract.ts';
import { archiveAnalyser } from './analyser.ts';
import {
  type ArchiveListing,
  type CreatedArchive,
  type CreateOrder,
  defaultArchiveLimits,
  type Extraction,
  type ExtractOrder,
  type ListOrder,
} from './contract.ts';
import { inThread } from './in-thread.ts';
import { passwordCandidates } from './passwords.ts';

/** Archives: listed, opened and made in threads that can be ended. Nothing here touches the disk. */

export type {
  ArchiveLimits,
  ArchiveListing,
  ArchiveVolume,
  CreatedArchive,
  CreateOrder,
  ExtractedEntry,
  Extraction,
  ExtractOrder,
  ListedEntry,
  ListOrder,
  RefusedEntry,
} from './contract.ts';
export { defaultArchiveLimits } from './contract.ts';
export { usualPasswords } from './passwords.ts';
export { makePaths, type PathMaker, pointsOutside, type SafePath } from './safe-path.ts';
export { firstVolumeName } from './volumes.ts';

export const archiveAnalysers: readonly Analyser[] = [archiveAnalyser];

/** Throws a TargetError for what is no archive, cannot be opened or would be too much. */
export async function listArchive(bytes: Uint8Array, order: ListOrder = {}): Promise<ArchiveListing> {
  return (await openInThread('list', { ...order, bytes })) as ArchiveListing;
}

/** Every entry with its bytes and a path that is safe to write to. All or nothing where a limit is passed. */
export async function extractArchive(order: ExtractOrder): Promise<Extraction> {
  return (await openInThread('extract', order)) as Extraction;
}

export async function createArchive({ signal, ...order }: CreateOrder): Promise<CreatedArchive> {
  return (await inThread({ task: 'create', order }, defaultArchiveLimits.milliseconds, signal)) as CreatedArchive;
}

function openInThread(task: 'list' | 'extract', { signal, ...order }: ExtractOrder): Promise<unknown> {
  // Looked at here too, so that a wrong call fails before a thread is started.
  passwordCandidates(order.passwords ?? [], order.name);
  const limits = { ...defaultArchiveLimits, ...order.limits };
  return inThread({ task, order }, limits.milliseconds, signal);
}
