import { asString, isObject } from '../../../../base/json-shape.ts';
import type { Inspected } from '../contract.ts';
import { readText } from '../read-file.ts';
import type { Lock, LockEntry } from './builder.ts';
import { normalisePythonName } from './purl.ts';
import { npmLock } from './readers/npm-lock.ts';
import { parseRequirement } from './readers/python-requirement.ts';

/** Bundles carry their dependencies unpacked. What lies there is what runs, whatever a lock file beside it says. */

const mostManifests = 20_000;
const largestManifestBytes = 1024 * 1024;
const installedManifest = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/;

function readObject(root: string, path: string): Readonly<Record<string, unknown>> | undefined {
  const read = readText(root, path, largestManifestBytes);
  if ('problem' in read) return undefined;
  try {
    const value: unknown = JSON.parse(read.text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The node_modules below `folder` ('' for the root), read as if npm had written its lock file. */
export function readNodeModules({ root, files }: Inspected, folder: string): Lock | undefined {
  const prefix = folder === '' ? '' : `${folder}/`;
  const manifests = files
    .filter((path) => path.startsWith(`${prefix}node_modules/`) && installedManifest.test(path))
    .slice(0, mostManifests);
  if (manifests.length === 0) return undefined;
  const packages: Record<string, unknown> = {};
  const problems: string[] = [];
  const own = readObject(root, `${prefix}package.json`);
  if (own !== undefined) packages[''] = { ...own, devDependencies: {} };
  for (const path of manifests) {
    const manifest = readObject(root, path);
    const at = path.slice(prefix.length, -'/package.json'.length);
    if (manifest === undefined) problems.push(`${path} cannot be read`);
    else if (asString(manifest.name) !== undefined)
      packages[at] = { ...manifest, dev: undefined, link: undefined, integrity: undefined, resolved: undefined };
  }
  const lock = npmLock.read(JSON.stringify({ lockfileVersion: 3, packages }), () => undefined);
  return { ...lock, problems: [...lock.problems, ...problems.slice(0, 20)] };
}

const metadataFile = /(?:^|\/)[^/]+\.dist-info\/METADATA$/;

function parseMetadata(
  text: string,
): { name: string; version: string | undefined; licences: readonly string[]; needs: readonly string[] } | undefined {
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const all = (key: string): readonly string[] =>
    [...head.matchAll(new RegExp(`^${key}:[ \\t]*(.{1,500})$`, 'gim'))].map(([, value = '']) => value.trim());
  const name = all('Name')[0];
  if (name === undefined) return undefined;
  const licence =
    all('License-Expression')[0] ?? all('License').find((text) => text.length <= 60 && text !== 'UNKNOWN');
  const needs = all('Requires-Dist').filter((line) => !/;.*\bextra\s*==/.test(line));
  return {
    name,
    version: all('Version')[0],
    licences: licence === undefined ? [] : [licence],
    needs: needs.flatMap((line) => parseRequirement(line)?.name ?? []),
  };
}

/** Python packages that were unpacked into the target, by their `.dist-info`. */
export function readSitePackages({ root, files }: Inspected): Lock | undefined {
  const paths = files.filter((path) => metadataFile.test(path)).slice(0, mostManifests);
  if (paths.length === 0) return undefined;
  const found = paths.flatMap((path) => {
    const read = readText(root, path, largestManifestBytes);
    return 'problem' in read ? [] : (parseMetadata(read.text) ?? []);
  });
  const keys = new Map(
    found.map(({ name, version }) => [normalisePythonName(name), `${normalisePythonName(name)}@${version ?? ''}`]),
  );
  const entries = found.map(({ name, version, licences, needs }): LockEntry => {
    const present = needs.flatMap((needed) => keys.get(normalisePythonName(needed)) ?? []);
    return { key: keys.get(normalisePythonName(name)) ?? name, name, version, licences, needs: present };
  });
  return {
    ecosystem: 'pypi',
    root: {},
    entries,
    direct: entries.map(({ key }) => key),
    directDevelopment: [],
    directOptional: [],
    problems: [],
  };
}
