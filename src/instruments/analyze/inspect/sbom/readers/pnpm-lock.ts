import { TargetError } from '../../../../../base/errors.ts';
import { asObject, asString, entriesOf, isObject, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Lock, LockEntry } from '../builder.ts';
import { hashesOfIntegrity } from '../integrity.ts';
import type { LockReader } from '../reader.ts';
import { parseYamlObject } from './parse.ts';

/**
 * pnpm-lock.yaml. Version 5 keys a package as `/name/1.0.0_peers`, version 6 as `/name@1.0.0(peers)`, and version 9 as
 * `name@1.0.0` in `packages` (hashes) and `name@1.0.0(peers)` in `snapshots` (edges).
 */

const slashKey = /^\/?((?:@[^/]+\/)?[^/@]+)\/([^/_(]+)/;
const atKey = /^\/?((?:@[^/@]+\/)?[^/@]+)@([^(]+)/;

function nameAndVersion(
  key: string,
  entry: JsonObject,
): { name: string; version: string | undefined; origin: string | undefined } {
  const match = atKey.exec(key) ?? slashKey.exec(key);
  const name = asString(entry.name) ?? match?.[1] ?? key;
  const stated = asString(entry.version) ?? match?.[2];
  const isVersion = stated !== undefined && /^\d/.test(stated);
  return {
    name,
    version: isVersion ? stated : undefined,
    origin: isVersion && match !== null ? undefined : key.slice(0, 500),
  };
}

/** `{ name: '1.0.0' }` or `{ name: { specifier, version } }` */
function referencesOf(value: unknown): readonly (readonly [string, string])[] {
  return entriesOf(value).flatMap(([name, reference]) => {
    const version = asString(reference) ?? asString(asObject(reference).version);
    return version === undefined || version.startsWith('link:') || version.startsWith('workspace:')
      ? []
      : [[name, version] as const];
  });
}

function findKey(keys: ReadonlySet<string>, name: string, reference: string): string {
  const candidates = [
    `${name}@${reference}`,
    `/${name}@${reference}`,
    `/${name}/${reference}`,
    reference,
    `/${reference}`,
  ];
  return candidates.find((key) => keys.has(key)) ?? `${name}@${reference}`;
}

function read(document: JsonObject): Lock {
  const packages = asObject(document.packages);
  const snapshots = isObject(document.snapshots) ? document.snapshots : packages;
  const keys = new Set(Object.keys(snapshots));
  const keysOf = (references: unknown): readonly string[] =>
    referencesOf(references).map(([name, reference]) => findKey(keys, name, reference));
  const entries = entriesOf(snapshots).map(([key, value]): LockEntry => {
    const snapshot = asObject(value);
    const details = Object.hasOwn(packages, key)
      ? asObject(packages[key])
      : asObject(packages[key.split('(', 1)[0] ?? key]);
    const { name, version, origin } = nameAndVersion(key, { ...details, ...snapshot });
    return {
      key,
      name,
      version,
      origin,
      hashes: hashesOfIntegrity(asObject(details.resolution).integrity),
      isOptional: snapshot.optional === true,
      needs: keysOf(snapshot.dependencies),
      optionallyNeeds: keysOf(snapshot.optionalDependencies),
    };
  });
  const projects = isObject(document.importers) ? Object.values(document.importers).map(asObject) : [document];
  const direct = (kind: string): readonly string[] => projects.flatMap((project) => keysOf(project[kind]));
  return {
    ecosystem: 'npm',
    root: {},
    entries,
    direct: direct('dependencies'),
    directDevelopment: direct('devDependencies'),
    directOptional: direct('optionalDependencies'),
    problems: [],
  };
}

export const pnpmLock: LockReader = {
  id: 'pnpm-lock',
  title: 'pnpm-lock.yaml (versions 5 to 9)',
  ecosystem: 'npm',
  isFor: (fileName) => fileName === 'pnpm-lock.yaml',
  rank: 45,
  read: (text) => {
    const document = parseYamlObject(text);
    if (document.lockfileVersion === undefined) throw new TargetError('has no lockfileVersion');
    return read(document);
  },
};
