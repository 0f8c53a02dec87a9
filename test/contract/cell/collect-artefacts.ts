import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TargetError } from '../../../src/base/errors.ts';
import { mebibyte } from '../../../src/base/limits.ts';
import type { Artefact } from '../../../src/engine/net/index.ts';
import type { FetchContext, Fetched } from '../../../src/targets/ingest/fetch/contract.ts';
import type { DependencyGraph, ResolvedPackage } from '../../../src/targets/ingest/fetch/dependencies/contract.ts';
import { mapBounded } from '../../../src/targets/ingest/fetch/dependencies/pool.ts';
import { fetchNpm } from '../../../src/targets/ingest/fetch/npm.ts';
import { fetchPypi } from '../../../src/targets/ingest/fetch/pypi.ts';

/**
 * Everything that an install in a box will ask a registry for, fetched and verified before. The look-alike registry of the
 * fake internet serves these files and knows no others.
 */

export interface CollectLimits {
  readonly concurrency: number;
  readonly mostBytes: number;
}

export const defaultCollectLimits: CollectLimits = { concurrency: 6, mostBytes: 512 * mebibyte };

export interface Collected {
  readonly artefacts: readonly Artefact[];
  /** What could not be had, in words; the install may fail on it. */
  readonly missing: readonly string[];
}

/** Fields of a manifest that npm itself puts in, or that name where the file really is. */
const ownFields = /^(?:_|dist$)/;

function manifestOf({ manifest }: Fetched): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(manifest ?? {}).filter(([name]) => !ownFields.test(name)));
}

function fileNameOf({ name, version, origin }: Fetched, ecosystem: ResolvedPackage['ecosystem']): string {
  if (ecosystem === 'npm') return `${basename(name)}-${version}.tgz`;
  // pip reads name, version and platform from the name of a file.
  return decodeURIComponent(basename(new URL(origin).pathname));
}

async function artefactOf(fetched: Fetched, ecosystem: ResolvedPackage['ecosystem']): Promise<Artefact> {
  const bytes = await readFile(fetched.archive);
  return {
    name: fetched.name,
    version: fetched.version,
    fileName: fileNameOf(fetched, ecosystem),
    base64: bytes.toString('base64'),
    ...(ecosystem === 'npm' ? { manifest: manifestOf(fetched) } : {}),
  };
}

function fetchOne(
  { ecosystem, name, version }: Pick<ResolvedPackage, 'ecosystem' | 'name' | 'version'>,
  context: FetchContext,
  into: string,
): Promise<Fetched> {
  return ecosystem === 'npm'
    ? fetchNpm({ kind: 'npm', name, wanted: { is: 'version', value: version } }, context, into)
    : fetchPypi({ kind: 'pypi', name, extras: [], specifier: `==${version}` }, context, into);
}

/** `root` is the target itself, which is asked for by name and version like all others. */
export async function collectArtefacts(
  root: Pick<ResolvedPackage, 'ecosystem' | 'name' | 'version'>,
  graph: DependencyGraph,
  context: FetchContext,
  folder: string,
  limits: CollectLimits = defaultCollectLimits,
): Promise<Collected> {
  const missing: string[] = [];
  let bytes = 0;
  const wanted = [root, ...graph.packages.filter(({ ecosystem }) => ecosystem === root.ecosystem)];
  const artefacts = await mapBounded([...wanted.entries()], limits.concurrency, async ([at, each]) => {
    const into = join(folder, String(at));
    try {
      if (bytes > limits.mostBytes) throw new TargetError(`more than ${limits.mostBytes} bytes of packages`);
      const fetched = await fetchOne(each, context, into);
      bytes += (await stat(fetched.archive)).size;
      return await artefactOf(fetched, each.ecosystem);
    } catch (error) {
      missing.push(`${each.name} ${each.version}: ${(error as Error).message}`);
      return null;
    } finally {
      await rm(into, { recursive: true, force: true });
    }
  });
  return { artefacts: artefacts.filter((artefact) => artefact !== null), missing };
}
