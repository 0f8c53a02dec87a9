import semver from 'semver';
import type { RegistryFacts } from './contract.ts';

/** What is read from a registry's document, which is the publisher's word: every field may be missing or of any type. */

export type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Names and ranges only. */
export function asRanges(value: unknown): ReadonlyMap<string, string> {
  const pairs = Object.entries(asFields(value)).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return new Map(pairs);
}

export function licenceOf(manifest: Fields): string | undefined {
  const { license, licenses } = manifest;
  const [first] = Array.isArray(licenses) ? licenses : [];
  return asText(license) ?? asText(asFields(license).type) ?? asText(asFields(first).type);
}

export function hasInstallScript(manifest: Fields): boolean {
  const scripts = asFields(manifest.scripts);
  const named = ['preinstall', 'install', 'postinstall'].some((name) => typeof scripts[name] === 'string');
  return manifest.hasInstallScript === true || manifest.gypfile === true || named;
}

export function factsOf(packument: Fields, version: string): RegistryFacts {
  const versions = Object.keys(asFields(packument.versions)).filter((one) => semver.valid(one) !== null);
  const manifest = asFields(asFields(packument.versions)[version]);
  const dist = asFields(manifest.dist);
  const time = asFields(packument.time);
  const publishedAt = asText(time[version]);
  const before = versions.filter((one) => semver.valid(version) !== null && semver.lt(one, version));
  const previousVersion = semver.rsort(before)[0];
  const dates = versions.map((one) => asText(time[one])).filter((date) => date !== undefined);
  const firstPublishedAt = asText(time.created) ?? dates.sort()[0];
  return {
    versions: versions.length,
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(firstPublishedAt === undefined ? {} : { firstPublishedAt }),
    ...(previousVersion === undefined ? {} : { previousVersion }),
    hasSignature: Array.isArray(dist.signatures) && dist.signatures.length > 0,
    hasProvenance: Object.keys(asFields(asFields(dist.attestations).provenance)).length > 0,
    isDeprecated: typeof manifest.deprecated === 'string' && manifest.deprecated !== '',
    isYanked: false,
  };
}
