import { asObject, asString, entriesOf, isObject, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Lock, LockEntry } from '../builder.ts';
import { hashesOfFragment, hashesOfIntegrity } from '../integrity.ts';

/**
 * Version 1 of package-lock.json: `dependencies` nested as they lie in node_modules, `requires` for the edges, and no
 * word about which of them the project itself asked for. That stands in the package.json beside it.
 */

interface Place {
  readonly path: readonly string[];
  readonly entry: JsonObject;
}

const keyOf = (path: readonly string[]): string => path.join(' > ');

function collect(document: JsonObject): readonly Place[] {
  const places: Place[] = [];
  const waiting: Place[] = [{ path: [], entry: document }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const [name, entry] of entriesOf(place.entry.dependencies)) {
      const child = { path: [...place.path, name], entry: asObject(entry) };
      places.push(child);
      waiting.push(child);
    }
  }
  return places;
}

function versionOf(entry: JsonObject): {
  readonly name?: string;
  readonly version: string | undefined;
  readonly origin?: string;
} {
  const stated = asString(entry.version);
  const alias = /^npm:(.+)@([^@]+)$/.exec(stated ?? '');
  if (alias?.[1] !== undefined) return { name: alias[1], version: alias[2] };
  const isElsewhere = stated !== undefined && /^(?:git|github|https?|file)[+:]/.test(stated);
  return isElsewhere ? { version: undefined, origin: stated.slice(0, 500) } : { version: stated };
}

export function readNestedLock(document: JsonObject, manifestText: string | undefined): Lock {
  const places = collect(document);
  const known = new Set(places.map(({ path }) => keyOf(path)));
  const find = (from: readonly string[], name: string): string => {
    for (let length = from.length; length >= 0; length -= 1) {
      const key = keyOf([...from.slice(0, length), name]);
      if (known.has(key)) return key;
    }
    return name;
  };
  const entries = places.map(({ path, entry }): LockEntry => {
    const { name, version, origin } = versionOf(entry);
    return {
      key: keyOf(path),
      name: name ?? path.at(-1) ?? '',
      version,
      range: undefined,
      origin,
      hashes: [...hashesOfIntegrity(entry.integrity), ...hashesOfFragment(entry.resolved)],
      isOptional: entry.optional === true,
      needs: isObject(entry.requires) ? Object.keys(entry.requires).map((needed) => find(path, needed)) : [],
    };
  });
  const manifest = parseManifest(manifestText);
  const top = places.filter(({ path }) => path.length === 1);
  const isDevelopment = (entry: JsonObject): boolean => entry.dev === true;
  const stated = (kind: string): readonly string[] =>
    Object.keys(asObject(manifest?.[kind])).filter((name) => known.has(name));
  const topKeys = (pick: (entry: JsonObject) => boolean): readonly string[] =>
    top.filter(({ entry }) => pick(entry)).map(({ path }) => keyOf(path));
  return {
    ecosystem: 'npm',
    root: { name: asString(document.name), version: asString(document.version) },
    entries,
    direct: manifest === undefined ? topKeys((entry) => !isDevelopment(entry)) : stated('dependencies'),
    directDevelopment: manifest === undefined ? topKeys(isDevelopment) : stated('devDependencies'),
    directOptional: manifest === undefined ? [] : stated('optionalDependencies'),
    problems: [],
  };
}

function parseManifest(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
