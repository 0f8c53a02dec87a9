import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compare } from '@renovatebot/pep440';
import { TargetError } from '../../../base/errors.ts';
import type { PypiTarget } from '../target/contract.ts';
import type { FetchContext, Fetched, RegistryFacts } from './contract.ts';
import { downloadFile } from './pip-download.ts';
import { type Candidate, selectCandidate } from './pip-select.ts';
import { createPipSource, type PipSource } from './pip-source.ts';
import { findPythonVersion } from './python-version.ts';
import { withoutCredentials } from './shown-url.ts';

function factsOf(candidates: readonly Candidate[], chosen: Candidate): RegistryFacts {
  const versions = [...new Set(candidates.map(({ version }) => version))].sort(compare);
  const previousVersion = versions.filter((version) => compare(version, chosen.version) < 0).at(-1);
  const dates = candidates.map(({ file }) => file.uploadedAt).filter((date) => date !== undefined);
  const firstPublishedAt = dates.sort()[0];
  const { uploadedAt } = chosen.file;
  return {
    versions: versions.length,
    ...(uploadedAt === undefined ? {} : { publishedAt: uploadedAt }),
    ...(firstPublishedAt === undefined ? {} : { firstPublishedAt }),
    ...(previousVersion === undefined ? {} : { previousVersion }),
    hasSignature: false,
    hasProvenance: false,
    isDeprecated: false,
    isYanked: chosen.file.isYanked,
  };
}

/** One file of a project, never built: a wheel where there is one, else the source archive. */
export async function fetchPypi(
  target: PypiTarget,
  context: FetchContext,
  into: string,
  source: PipSource = createPipSource(context),
): Promise<Fetched> {
  const operation = `Python package ${target.name}${target.specifier}`;
  const candidates = await source.listCandidates(target.name);
  if (candidates.length === 0) throw new TargetError(`${operation}: no index has files of it`);
  const chosen = selectCandidate(candidates, target.specifier, await findPythonVersion(context));
  if (chosen === undefined) throw new TargetError(`${operation}: none of ${candidates.length} files fits`);
  const { path, sha256, isVerified } = await downloadFile(chosen.file, source);
  await mkdir(into, { recursive: true });
  // Unpacking decides by content; the ending is for people.
  const archive = join(into, chosen.kind === 'wheel' ? 'package.whl' : 'package.sdist');
  await copyFile(path, archive);
  return {
    name: target.name,
    version: chosen.version,
    integrity: `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`,
    isVerified,
    origin: withoutCredentials(chosen.file.url),
    archive,
    registry: factsOf(candidates, chosen),
  };
}
