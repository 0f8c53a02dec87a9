import semver from 'semver';
import { asFields, asRanges, asText, type Fields, hasInstallScript, licenceOf } from '../npm-metadata.ts';
import type { WantedDependency } from './contract.ts';

/** What is kept of a registry's document: a whole one has everything that was ever published. */
export interface NpmVersions {
  readonly versions: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
  readonly deprecated: ReadonlySet<string>;
  read(version: string): NpmVersion | undefined;
}

export interface NpmVersion {
  readonly integrity?: string;
  readonly licence?: string;
  readonly hasInstallScript: boolean;
  readonly wants: readonly WantedDependency[];
}

export function wantsOf(manifest: Fields): WantedDependency[] {
  const optional = asRanges(manifest.optionalDependencies);
  const normal = [...asRanges(manifest.dependencies)].filter(([name]) => !optional.has(name));
  const meta = asFields(manifest.peerDependenciesMeta);
  const peers = [...asRanges(manifest.peerDependencies)].filter(([name]) => asFields(meta[name]).optional !== true);
  const listed = (pairs: Iterable<readonly [string, string]>, kind: WantedDependency['kind']): WantedDependency[] =>
    [...pairs].map(([name, range]) => ({ name, range, kind }));
  return [...listed(normal, 'normal'), ...listed(optional, 'optional'), ...listed(peers, 'peer')];
}

function readVersion(manifest: Fields): NpmVersion {
  const dist = asFields(manifest.dist);
  const shasum = asText(dist.shasum);
  const integrity =
    asText(dist.integrity) ??
    (shasum === undefined ? undefined : `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`);
  const licence = licenceOf(manifest);
  return {
    ...(integrity === undefined ? {} : { integrity }),
    ...(licence === undefined ? {} : { licence }),
    hasInstallScript: hasInstallScript(manifest),
    wants: wantsOf(manifest),
  };
}

export function readPackument(packument: Fields): NpmVersions {
  const manifests = asFields(packument.versions);
  const versions = Object.keys(manifests).filter((version) => semver.valid(version) !== null);
  const read = new Map(versions.map((version) => [version, readVersion(asFields(manifests[version]))]));
  return {
    versions,
    tags: asRanges(packument['dist-tags']),
    deprecated: new Set(versions.filter((version) => asText(asFields(manifests[version]).deprecated) !== undefined)),
    read: (version) => read.get(version),
  };
}

/** As npm picks: a tag; the newest release when it fits; else the highest that fits, rather one that is not withdrawn. */
export function pickVersion({ versions, tags, deprecated }: NpmVersions, range: string): string | undefined {
  const wanted = range.trim() === '' ? 'latest' : range.trim();
  const tagged = tags.get(wanted);
  if (tagged !== undefined) return tagged;
  if (semver.validRange(wanted, { loose: true }) === null) return undefined;
  const latest = tags.get('latest');
  if (latest !== undefined && semver.satisfies(latest, wanted, { loose: true })) return latest;
  const current = versions.filter((version) => !deprecated.has(version));
  const options = { loose: true };
  return semver.maxSatisfying(current, wanted, options) ?? semver.maxSatisfying(versions, wanted, options) ?? undefined;
}
