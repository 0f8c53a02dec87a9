import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { mebibyte } from '../../base/limits.ts';
import type { FoundLockfile, FoundManifest, ListedFile, ManifestKind } from './contract.ts';
import { readPythonMetadata } from './fetch/dependencies/python-metadata.ts';
import { asFields, asText } from './fetch/npm-metadata.ts';

const manifestNames: readonly { readonly pattern: RegExp; readonly kind: ManifestKind }[] = [
  { pattern: /(^|\/)package\.json$/, kind: 'npm' },
  { pattern: /(^|\/)pyproject\.toml$/, kind: 'python-project' },
  { pattern: /(^|\/)setup\.(py|cfg)$/, kind: 'python-setup' },
  { pattern: /(^|\/)PKG-INFO$|^[^/]+\.dist-info\/METADATA$/, kind: 'python-metadata' },
  { pattern: /^manifest\.json$/, kind: 'bundle' },
  { pattern: /(^|\/)server\.json$/, kind: 'server' },
  { pattern: /^tools\.json$/, kind: 'tools' },
];

const lockfileNames: Readonly<Record<string, string>> = {
  'npm-shrinkwrap.json': 'npm',
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'uv.lock': 'uv',
  'poetry.lock': 'poetry',
  'Pipfile.lock': 'pipenv',
  'pdm.lock': 'pdm',
  'pylock.toml': 'pylock',
};

const deepestManifest = 4;
const largestManifestBytes = 4 * mebibyte;

function depthOf(path: string): number {
  return path.split('/').length;
}

/** Nearest to the root first: the first one of a kind is the target's own. */
export function findManifests(files: readonly ListedFile[]): {
  manifests: FoundManifest[];
  lockfiles: FoundLockfile[];
} {
  const near = files
    .filter(({ path, isDependency }) => !isDependency && depthOf(path) <= deepestManifest)
    .sort((left, right) => depthOf(left.path) - depthOf(right.path));
  const manifests = near.flatMap(({ path }) => {
    const kind = manifestNames.find(({ pattern }) => pattern.test(path))?.kind;
    return kind === undefined ? [] : [{ kind, path }];
  });
  const lockfiles = near.flatMap(({ path }) => {
    const name = path.split('/').at(-1) ?? '';
    const kind = lockfileNames[name] ?? (/^requirements.*\.txt$/.test(name) ? 'requirements' : undefined);
    return kind === undefined ? [] : [{ kind, path }];
  });
  return { manifests, lockfiles };
}

async function readText(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    return size > largestManifestBytes ? '' : await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** What a target calls itself, where nobody else has given it a name. */
export async function readOwnName(
  folder: string,
  manifests: readonly FoundManifest[],
): Promise<{ readonly name?: string; readonly version?: string }> {
  const own = manifests.find(({ kind }) => ['npm', 'bundle', 'python-metadata'].includes(kind));
  if (own === undefined) return {};
  try {
    const text = await readText(join(folder, own.path));
    const fields = own.kind === 'python-metadata' ? readPythonMetadata(text) : asFields(JSON.parse(text));
    const [name, version] = [asText(fields.name), asText(fields.version)];
    return { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) };
  } catch {
    return {};
  }
}
