import { TargetError } from '../../../../../base/errors.ts';
import { asArray, asObject, asString, asStrings, entriesOf, isObject } from '../../../../../base/json-shape.ts';
import type { LockEntry } from '../builder.ts';
import { hashesOfIntegrity } from '../integrity.ts';
import type { LockReader } from '../reader.ts';
import { parseJsoncObject } from './parse.ts';

/**
 * bun.lock, the text form: `packages` maps `name`, or `parent/name` where a parent has its own copy, to
 * `[ "name@version", registry, info, integrity ]`; other origins leave out the registry.
 */

/** The chain of folders in a key: `@a/b/c/@d/e` -> `@a/b`, `c`, `@d/e`. */
function partsOf(key: string): readonly string[] {
  return key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
}

function find(keys: ReadonlySet<string>, from: string, name: string): string {
  const parts = partsOf(from);
  for (let length = parts.length; length > 0; length -= 1) {
    const key = [...parts.slice(0, length), name].join('/');
    if (keys.has(key)) return key;
  }
  return name;
}

function readEntry(key: string, value: unknown, keys: ReadonlySet<string>): LockEntry | undefined {
  const tuple = asArray(value);
  const identity = asString(tuple[0]) ?? '';
  const at = identity.indexOf('@', 1);
  if (at < 0) throw new TargetError(`has no version for ${JSON.stringify(key.slice(0, 80))}`);
  const resolution = identity.slice(at + 1);
  if (resolution.startsWith('workspace:') || resolution.startsWith('root:')) return undefined;
  const info = asObject(tuple.find(isObject));
  const optionalPeers = new Set(asStrings(info.optionalPeers));
  const isVersion = /^\d/.test(resolution);
  const namesOf = (needs: unknown): readonly string[] => entriesOf(needs).map(([name]) => find(keys, key, name));
  const peers = entriesOf(info.peerDependencies).map(([name]) => name);
  return {
    key,
    name: identity.slice(0, at),
    version: isVersion ? resolution : undefined,
    origin: isVersion ? undefined : resolution.slice(0, 500),
    hashes: hashesOfIntegrity(tuple.at(-1)),
    needs: [
      ...namesOf(info.dependencies),
      ...peers
        .filter((name) => !optionalPeers.has(name))
        .map((name) => find(keys, key, name))
        .filter((needed) => keys.has(needed)),
    ],
    optionallyNeeds: [
      ...namesOf(info.optionalDependencies),
      ...[...optionalPeers].map((name) => find(keys, key, name)),
    ],
  };
}

export const bunLock: LockReader = {
  id: 'bun-lock',
  title: 'bun.lock (text)',
  ecosystem: 'npm',
  isFor: (fileName) => fileName === 'bun.lock',
  rank: 43,
  read: (text) => {
    const document = parseJsoncObject(text);
    if (document.lockfileVersion === undefined) throw new TargetError('has no lockfileVersion');
    const packages = entriesOf(document.packages);
    const keys = new Set(packages.map(([key]) => key));
    const entries = packages.flatMap(([key, value]) => readEntry(key, value, keys) ?? []);
    const workspaces = entriesOf(document.workspaces).map(([, workspace]) => asObject(workspace));
    const local = new Set(
      packages.filter(([, value]) => /@workspace:/.test(asString(asArray(value)[0]) ?? '')).map(([key]) => key),
    );
    const direct = (kind: string): readonly string[] =>
      workspaces
        .flatMap((workspace) =>
          entriesOf(workspace[kind]).map(([name]) => find(keys, asString(workspace.name) ?? '', name)),
        )
        .filter((key) => !local.has(key));
    const root = asObject(asObject(document.workspaces)['']);
    return {
      ecosystem: 'npm',
      root: { name: asString(root.name), version: asString(root.version) },
      entries: entries.map((entry) => ({ ...entry, needs: entry.needs.filter((key) => !local.has(key)) })),
      direct: [...direct('dependencies'), ...direct('peerDependencies').filter((key) => keys.has(key))],
      directDevelopment: direct('devDependencies'),
      directOptional: direct('optionalDependencies').filter((key) => keys.has(key)),
      problems: [],
    };
  },
};
