import { join } from 'node:path';
import { sha256 } from '../../../base/fingerprint.ts';
import { asString } from '../../../base/json-shape.ts';
import type { Archive, Program } from './contract.ts';
import type { Gathered } from './gather.ts';
import type { InstallWish } from './install.ts';
import { npmPrograms, pythonPrograms, readPackageManifest } from './programs.ts';
import type { TreeWriter } from './write-tree.ts';

/** What a server is made of, told from what was fetched and laid out. */

export const platform = `${process.platform}-${process.arch}`;
export const venvBin = 'venv/bin';

export function archivesOf({ graph, ingested, plan }: Gathered, writer: TreeWriter): readonly Archive[] {
  const { name, version, integrity } = ingested.resolved;
  const own =
    version === undefined || integrity === undefined ? [] : [{ name, version, integrity: integrity as string | null }];
  if (plan.ecosystem === 'pypi') {
    const infos = [...writer.files.keys()].flatMap((path) => {
      const [, project, release] = /\/site-packages\/([^/]+?)-([^/-]+)\.dist-info\/METADATA$/.exec(path) ?? [];
      return project === undefined || release === undefined
        ? []
        : [{ name: project, version: release, integrity: null }];
    });
    return [...own, ...infos.filter((each) => !own.some((first) => first.name === each.name.replaceAll('_', '-')))];
  }
  const placed = new Set(plan.sources.map(({ what }) => what));
  const packages = (graph?.packages ?? []).filter((each) => placed.has(`${each.name}@${each.version}`));
  return [...own, ...packages.map((each) => ({ ...pick(each), integrity: each.integrity ?? null }))];
}

const pick = ({ name, version }: { readonly name: string; readonly version: string }) => ({ name, version });

/** By everything that was fetched and how it was laid out; what scripts make of it may differ from day to day. */
export function digestOf(
  wish: InstallWish,
  version: string | null,
  archives: readonly Archive[],
  writer: TreeWriter,
): string {
  const files = [...writer.files].map(([path, file]) => `${path}\0${file.mode}\0${file.sha256}`).sort();
  const names = archives.map(({ name, version: release, integrity }) => [name, release, integrity ?? '']).sort();
  return sha256(JSON.stringify([wish.subject, version, platform, names, sha256(files.join('\n'))]));
}

export function programsOf({ plan }: Gathered, { starts, besides }: InstallWish, root: string): readonly Program[] {
  if (plan.ecosystem === 'pypi') {
    const own = plan.installed.programs.map((path) => path.split('/').at(-1) ?? '');
    return pythonPrograms(root, venvBin, new Set(own));
  }
  const named = [starts, ...besides].flatMap((target) =>
    target.kind === 'npm' ? [`node_modules/${target.name}`] : [],
  );
  return npmPrograms(root, named.length > 0 ? named : ['.']).map((program) => ({
    ...program,
    path: program.path.replace(/^\.\//, ''),
  }));
}

export function versionOf(
  { ingested }: Gathered,
  { starts }: InstallWish,
  writer: TreeWriter,
  root: string,
): string | null {
  if (starts.kind === 'npm') {
    return asString(readPackageManifest(join(root, 'node_modules', starts.name, 'package.json'))?.version) ?? null;
  }
  if (starts.kind === 'pypi') {
    const begin = `${starts.name.replaceAll('-', '_')}-`;
    for (const path of writer.files.keys()) {
      const info = /\/site-packages\/([^/]+)\.dist-info\/METADATA$/.exec(path)?.[1]?.toLowerCase().replaceAll('.', '_');
      const found = /\/([^/]+)\.dist-info\/METADATA$/.exec(path)?.[1];
      if (info?.startsWith(begin) === true && found !== undefined) return found.slice(begin.length);
    }
  }
  return ingested.resolved.version ?? null;
}
