import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';

/** Published packages, fetched once with npm's own settings. Nothing of a package is run to get it. */

const cache = process.env.HOTCELL_EVAL_CACHE ?? join(tmpdir(), 'hotcell-eval');

export interface UnpackedPackage {
  readonly root: string;
  readonly files: readonly string[];
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    timeout: 120_000,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 << 20,
  });
}

export function fetchPackage(name: string, version: string): UnpackedPackage {
  const folder = join(cache, 'unpacked', `${name}@${version}`.replace(/[^a-zA-Z0-9.@-]/g, '_'));
  const root = join(folder, 'package');
  if (!existsSync(root)) {
    const tarballs = join(cache, 'tarballs');
    mkdirSync(tarballs, { recursive: true });
    const packed: unknown = JSON.parse(
      run('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--json', '--pack-destination', tarballs]),
    );
    const file = (packed as readonly { filename: string }[])[0]?.filename ?? '';
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(join(partial, 'package'), { recursive: true });
    const tarball = join(tarballs, file.replace(/^@/, '').replaceAll('/', '-'));
    run('tar', [
      '--no-same-owner',
      '--no-same-permissions',
      '--strip-components=1',
      '-xzf',
      tarball,
      '-C',
      join(partial, 'package'),
    ]);
    renameSync(partial, folder);
  }
  return { root, files: filesBelow(root) };
}

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Dependencies of the same scope or the same prefix, where a thin package keeps its code. */
export function relatedPackages(
  { root, files }: UnpackedPackage,
  name: string,
): readonly { name: string; version: string }[] {
  if (!files.includes('package.json')) return [];
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { dependencies = {} } = manifest as { dependencies?: Record<string, string> };
  const family = name.startsWith('@') ? `${name.split('/')[0]}/` : `${name.split('-')[0]}-`;
  return Object.entries(dependencies)
    .filter(([other]) => other.startsWith(family) && !other.startsWith('@modelcontextprotocol/sdk'))
    .slice(0, 4)
    .map(([other, range]) => ({ name: other, version: range }));
}
