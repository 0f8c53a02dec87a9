import { TargetError } from '../../../../../base/errors.ts';
import { asObject, asString, entriesOf, isObject, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Lock, LockEntry } from '../builder.ts';
import { hashesOfFragment, hashesOfIntegrity } from '../integrity.ts';
import type { LockReader } from '../reader.ts';
import { readNestedLock } from './npm-lock-nested.ts';
import { parseJsonObject } from './parse.ts';

/**
 * package-lock.json and npm-shrinkwrap.json. From version 2 on `packages` holds one entry per folder, such as
 * `node_modules/a/node_modules/b`; version 1 nests `dependencies` the same way and is read by its own file.
 */

const marker = 'node_modules/';

/** Where Node would look for `name` from a folder: its own node_modules first, then those of every folder above. */
export function resolveFrom(folder: string, name: string, isThere: (path: string) => boolean): string | undefined {
  let at = folder;
  for (;;) {
    const path = at === '' ? `${marker}${name}` : `${at}/${marker}${name}`;
    if (isThere(path)) return path;
    if (at === '') return undefined;
    const above = at.lastIndexOf(`/${marker}`);
    if (above >= 0) at = at.slice(0, above);
    else if (at.startsWith(marker)) at = '';
    else at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '';
  }
}

function nameOf(path: string, entry: JsonObject): string {
  const stated = asString(entry.name);
  if (stated !== undefined) return stated;
  const at = path.lastIndexOf(marker);
  return at < 0 ? (path.split('/').pop() ?? path) : path.slice(at + marker.length);
}

export function originOf(resolved: unknown): string | undefined {
  const text = asString(resolved);
  return text === undefined || /^https?:\/\/[^#]+\.tgz(?:#.*)?$/.test(text) ? undefined : text.slice(0, 500);
}

export function licencesOf(value: unknown): readonly string[] {
  if (typeof value === 'string' && value.trim() !== '') return [value.trim().slice(0, 200)];
  if (isObject(value)) return licencesOf(value.type);
  return Array.isArray(value) ? value.slice(0, 10).flatMap(licencesOf) : [];
}

function readPackages(document: JsonObject, packages: JsonObject): Lock {
  const folders = new Map(entriesOf(packages).map(([path, entry]) => [path, asObject(entry)]));
  const target = (path: string): string => {
    const entry = folders.get(path);
    const linked = entry?.link === true ? asString(entry.resolved) : undefined;
    return linked !== undefined && folders.has(linked) ? linked : path;
  };
  const find = (folder: string, name: string): string => {
    const found = resolveFrom(folder, name, (path) => folders.has(path));
    return found === undefined ? name : target(found);
  };
  const keysOf = (folder: string, names: unknown): readonly string[] =>
    entriesOf(names).map(([name]) => find(folder, name));
  const present = (folder: string, names: unknown): readonly string[] =>
    keysOf(folder, names).filter((key) => folders.has(key));
  const entries: LockEntry[] = [];
  for (const [path, entry] of folders) {
    if (path === '' || entry.link === true) continue;
    const peersOptional = asObject(entry.peerDependenciesMeta);
    const peers = entriesOf(entry.peerDependencies).map(([name]) => name);
    const isOptionalPeer = (name: string): boolean => asObject(peersOptional[name]).optional === true;
    entries.push({
      key: path,
      name: nameOf(path, entry),
      version: asString(entry.version),
      hashes: [...hashesOfIntegrity(entry.integrity), ...hashesOfFragment(entry.resolved)],
      licences: licencesOf(entry.license),
      isOptional: entry.optional === true,
      origin: path.includes(marker) ? originOf(entry.resolved) : path,
      needs: [
        ...keysOf(path, entry.dependencies),
        ...peers
          .filter((name) => !isOptionalPeer(name))
          .map((name) => find(path, name))
          .filter((key) => folders.has(key)),
      ],
      optionallyNeeds: [
        ...present(path, entry.optionalDependencies),
        ...peers.filter(isOptionalPeer).map((name) => find(path, name)),
      ],
    });
  }
  const root = asObject(folders.get(''));
  const workspaces = [...folders].filter(([path]) => path !== '' && !path.includes(marker));
  return {
    ecosystem: 'npm',
    root: {
      name: asString(root.name) ?? asString(document.name),
      version: asString(root.version) ?? asString(document.version),
    },
    entries,
    direct: [
      ...keysOf('', root.dependencies),
      ...present('', root.peerDependencies),
      ...workspaces.map(([path]) => path),
      // The lock that npm keeps inside node_modules has no entry for the project.
      ...(folders.has('') ? [] : entries.map(({ key }) => key)),
    ],
    directDevelopment: keysOf('', root.devDependencies),
    directOptional: present('', root.optionalDependencies),
    problems: [],
  };
}

const names = new Set(['package-lock.json', 'npm-shrinkwrap.json', '.package-lock.json']);

export const npmLock: LockReader = {
  id: 'npm-lock',
  title: 'npm package-lock.json (versions 1 to 3), npm-shrinkwrap.json',
  ecosystem: 'npm',
  isFor: (fileName) => names.has(fileName),
  rank: 50,
  read: (text, siblings) => {
    const document = parseJsonObject(text);
    if (isObject(document.packages)) return readPackages(document, document.packages);
    if (isObject(document.dependencies)) return readNestedLock(document, siblings('package.json'));
    if (document.lockfileVersion === undefined) throw new TargetError('has neither packages nor dependencies');
    return {
      ecosystem: 'npm',
      root: { name: asString(document.name), version: asString(document.version) },
      entries: [],
      direct: [],
      directDevelopment: [],
      directOptional: [],
      problems: [],
    };
  },
};
