import { asObject, asString, entriesOf, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Lock, LockEntry } from '../builder.ts';
import { hashesOfFragment, hashesOfIntegrity } from '../integrity.ts';
import type { LockReader, Siblings } from '../reader.ts';
import { manifestBeside } from './manifest.ts';
import { parseYamlObject } from './parse.ts';
import { parseYarnText } from './yarn-text.ts';

/** yarn.lock of yarn 1 (its own format) and of yarn 2 and later (YAML with `__metadata`). */

/** `@scope/name@npm:^1.0.0` -> `@scope/name`; an alias `a@npm:b@^1` installs b. */
function nameOfPattern(pattern: string): string {
  const at = pattern.indexOf('@', 1);
  const name = at < 0 ? pattern : pattern.slice(0, at);
  const alias = /^npm:((?:@[^/@]+\/)?[^/@\s]+)@/.exec(at < 0 ? '' : pattern.slice(at + 1));
  return alias?.[1] ?? name;
}

function isElsewhere(resolution: string): boolean {
  return !/@npm:/.test(resolution) && /@(?:git|https?|file|link|portal|patch|workspace|github)[+:@]/.test(resolution);
}

function withManifest(
  entries: readonly LockEntry[],
  patterns: ReadonlyMap<string, string>,
  manifest: JsonObject | undefined,
  find: (name: string, range: string) => string,
): Lock {
  const asked = (kind: string): readonly string[] =>
    entriesOf(manifest?.[kind]).map(([name, range]) => find(name, asString(range) ?? '*'));
  const everything = entries.map(({ key }) => key);
  const known = new Set(patterns.values());
  return {
    ecosystem: 'npm',
    root: { name: asString(manifest?.name), version: asString(manifest?.version) },
    entries,
    direct: manifest === undefined ? everything : asked('dependencies'),
    directDevelopment: asked('devDependencies').filter((key) => known.has(key)),
    directOptional: asked('optionalDependencies').filter((key) => known.has(key)),
    problems:
      manifest === undefined
        ? ['has no package.json beside it, so direct and development packages are not told apart']
        : [],
  };
}

function readClassic(text: string, siblings: Siblings): Lock {
  const parsed = parseYarnText(text);
  const patterns = new Map(
    parsed.flatMap((entry) => entry.patterns.map((pattern) => [pattern, entry.patterns[0] ?? pattern])),
  );
  const find = (name: string, range: string): string => patterns.get(`${name}@${range}`) ?? `${name}@${range}`;
  const keysOf = (needs: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(needs).map(([name, range]) => find(name, range));
  const entries = parsed.map((entry): LockEntry => {
    const key = entry.patterns[0] ?? '';
    const { resolved } = entry.fields;
    const isRegistry = resolved === undefined || /^https?:\/\/[^#]+\.tgz(?:#.*)?$/.test(resolved);
    return {
      key,
      name: nameOfPattern(key),
      version: entry.fields.version,
      hashes: [...hashesOfIntegrity(entry.fields.integrity), ...hashesOfFragment(resolved)],
      origin: isRegistry ? undefined : resolved?.slice(0, 500),
      needs: keysOf(entry.dependencies),
      optionallyNeeds: keysOf(entry.optionalDependencies),
    };
  });
  return withManifest(entries, patterns, manifestBeside(siblings), find);
}

/** The checksum of these files is of yarn's own archive, not of the package as published: it is no hash to pass on. */
function readBerry(document: JsonObject, siblings: Siblings): Lock {
  const listed = entriesOf(document).filter(([key]) => key !== '__metadata');
  const patterns = new Map(listed.flatMap(([key]) => key.split(',').map((pattern) => [pattern.trim(), key] as const)));
  const find = (name: string, range: string): string =>
    patterns.get(`${name}@${range}`) ??
    patterns.get(`${name}@npm:${range}`) ??
    patterns.get(`${name}@workspace:.`) ??
    `${name}@${range}`;
  const isWorkspace = (entry: JsonObject): boolean => /@workspace:/.test(asString(entry.resolution) ?? '');
  const keysOf = (needs: unknown): readonly string[] =>
    entriesOf(needs).map(([name, range]) => find(name, asString(range) ?? '*'));
  const entries = listed.flatMap(([key, value]): readonly LockEntry[] => {
    const entry = asObject(value);
    if (isWorkspace(entry)) return [];
    const resolution = asString(entry.resolution) ?? key;
    const meta = asObject(entry.dependenciesMeta);
    const needs = entriesOf(entry.dependencies);
    const isOptional = ([name]: readonly [string, unknown]): boolean => asObject(meta[name]).optional === true;
    return [
      {
        key,
        name: nameOfPattern(resolution),
        version: asString(entry.version),
        origin: isElsewhere(resolution) ? resolution.slice(0, 500) : undefined,
        needs: keysOf(Object.fromEntries(needs.filter((need) => !isOptional(need)))),
        optionallyNeeds: keysOf(Object.fromEntries(needs.filter(isOptional))),
      },
    ];
  });
  const lock = withManifest(entries, patterns, manifestBeside(siblings), find);
  // Workspaces of a project are listed too, and what they need is needed by it.
  const workspaces = listed.map(([, value]) => asObject(value)).filter(isWorkspace);
  const known = new Set(entries.map(({ key }) => key));
  const needed = workspaces.flatMap((entry) => keysOf(entry.dependencies)).filter((key) => known.has(key));
  const development = new Set(lock.directDevelopment);
  return {
    ...lock,
    direct: [...lock.direct.filter((key) => known.has(key)), ...needed.filter((key) => !development.has(key))],
  };
}

export const yarnLock: LockReader = {
  id: 'yarn-lock',
  title: 'yarn.lock (yarn 1, and yarn 2 and later)',
  ecosystem: 'npm',
  isFor: (fileName) => fileName === 'yarn.lock',
  rank: 44,
  read: (text, siblings) =>
    /^__metadata:/m.test(text) ? readBerry(parseYamlObject(text), siblings) : readClassic(text, siblings),
};
