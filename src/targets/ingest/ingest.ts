import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestContext, Ingested } from './contract.ts';
import { listFiles, listOne } from './list-files.ts';
import { type Located, locate } from './locate.ts';
import { findManifests, readOwnName } from './manifests.ts';
import type { ParsedTarget } from './target/contract.ts';

const defaultMaxFiles = 100_000;

async function describe(
  target: ParsedTarget,
  located: Located,
  context: IngestContext,
): Promise<Omit<Ingested, 'close'>> {
  const { folder, entry, isAlone, unpacked, fetched } = located;
  const maxFiles = context.maxFiles ?? defaultMaxFiles;
  const listing =
    isAlone === true && entry !== undefined ? await listOne(folder, entry) : await listFiles(folder, maxFiles);
  const { files } = listing;
  const { manifests, lockfiles } = findManifests(files);
  const own = await readOwnName(folder, manifests);
  return {
    target,
    resolved: {
      name: fetched?.name ?? own.name ?? located.name,
      ...(own.version && { version: own.version }),
      ...located.resolved,
    },
    origin: located.origin,
    folder,
    ...(entry === undefined ? {} : { entry }),
    files,
    droppedFiles: listing.dropped,
    manifests,
    lockfiles,
    issues: [...(unpacked?.issues ?? []), ...listing.issues.issues],
    droppedIssues: (unpacked?.droppedIssues ?? 0) + listing.issues.dropped,
    isComplete: (unpacked?.isComplete ?? true) && listing.dropped === 0,
    ...(fetched?.registry === undefined ? {} : { registry: fetched.registry }),
  };
}

/**
 * From a target to a folder of files, without running anything of it. A folder of the user is read where it is; all
 * else is made in a folder of its own, which `close()` removes.
 */
export async function ingest(target: ParsedTarget, context: IngestContext): Promise<Ingested> {
  await mkdir(context.workFolder, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(context.workFolder, 'target-'));
  const close = (): Promise<void> => rm(work, { recursive: true, force: true });
  try {
    const located = await locate(target.kind === 'command' ? target.starts : target, context, work);
    return { ...(await describe(target, located, context)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
