import { asArray, asObject, asString, entriesOf } from '../../../../base/json-shape.ts';

/** What a registry says about a package and its releases, in one form for npm and PyPI. */

export interface Release {
  readonly version: string;
  readonly publishedAt: string | undefined;
  readonly publisher: string | undefined;
  /** Undefined where the registry does not say. */
  readonly hasProvenance: boolean | undefined;
  readonly hasSignature: boolean | undefined;
}

export interface RegistryRecord {
  readonly ecosystem: 'npm' | 'pypi';
  readonly name: string;
  /** The one that is looked at. */
  readonly version: string;
  readonly releases: readonly Release[];
  /** Why its publishers do not want it to be used any more. */
  readonly withdrawn?: string | undefined;
}

const mostReleases = 10_000;

/** npm's packument: `time` has a date per version, `dist` its signatures and attestations. */
export function recordOfPackument(packument: unknown, version: string): RegistryRecord {
  const document = asObject(packument);
  const times = asObject(document.time);
  return {
    ecosystem: 'npm',
    name: asString(document.name) ?? '',
    version,
    withdrawn: asString(asObject(asObject(document.versions)[version]).deprecated)?.slice(0, 500),
    releases: entriesOf(document.versions)
      .slice(0, mostReleases)
      .map(([number, value]) => {
        const dist = asObject(asObject(value).dist);
        return {
          version: number,
          publishedAt: asString(times[number]),
          publisher: asString(asObject(asObject(value)._npmUser).name),
          hasProvenance: asObject(dist.attestations).provenance !== undefined,
          hasSignature: asArray(dist.signatures).length > 0,
        };
      }),
  };
}

function yankedReason(files: unknown): string | undefined {
  const yanked = asArray(files)
    .map(asObject)
    .find((file) => file.yanked === true);
  return yanked === undefined ? undefined : (asString(yanked.yanked_reason) ?? 'yanked').slice(0, 500);
}

/** PyPI's JSON: files per release with their time of upload. It does not say here whether there are attestations. */
export function recordOfPypi(json: unknown, version: string): RegistryRecord {
  const document = asObject(json);
  return {
    ecosystem: 'pypi',
    name: asString(asObject(document.info).name) ?? '',
    version,
    withdrawn: yankedReason(asObject(document.releases)[version]),
    releases: entriesOf(document.releases)
      .slice(0, mostReleases)
      .map(([number, files]) => ({
        version: number,
        publishedAt: asArray(files)
          .flatMap((file) => asString(asObject(file).upload_time_iso_8601) ?? [])
          .sort()[0],
        publisher: undefined,
        hasProvenance: undefined,
        hasSignature: undefined,
      })),
  };
}

/** What is left of a history when only the facts about one release were kept. */
export interface ReleaseFacts {
  readonly publishedAt?: string;
  readonly firstPublishedAt?: string;
  readonly previousVersion?: string;
  readonly hasSignature: boolean;
  readonly hasProvenance: boolean;
  readonly isDeprecated: boolean;
  readonly isYanked: boolean;
}

/** The release before is dated by the first one: nobody said when it was, and it was not earlier. */
export function recordOfFacts(
  facts: ReleaseFacts,
  identity: Pick<RegistryRecord, 'ecosystem' | 'name' | 'version'>,
): RegistryRecord {
  const before: Release = {
    version: facts.previousVersion ?? '',
    publishedAt: facts.firstPublishedAt,
    publisher: undefined,
    hasProvenance: undefined,
    hasSignature: undefined,
  };
  // PyPI does not say in its index whether there are attestations.
  const isTold = identity.ecosystem === 'npm';
  const own: Release = {
    version: identity.version,
    publishedAt: facts.publishedAt,
    publisher: undefined,
    hasProvenance: isTold ? facts.hasProvenance : undefined,
    hasSignature: isTold ? facts.hasSignature : undefined,
  };
  return {
    ...identity,
    releases: facts.previousVersion === undefined ? [own] : [before, own],
    withdrawn: facts.isYanked ? 'yanked' : facts.isDeprecated ? 'deprecated' : undefined,
  };
}
