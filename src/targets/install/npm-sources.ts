import { dirname } from 'node:path/posix';
import { asString } from '../../base/json-shape.ts';
import { appFolder, type BoxFile, type FileSource, type InstallLimits } from './contract.ts';
import type { Placed } from './npm-layout.ts';
import { handOver, programsOf } from './npm-programs.ts';
import type { ScriptHolder } from './npm-scripts.ts';
import type { NpmTree, TreePackage } from './npm-tree.ts';
import { readTarFiles } from './tar-files.ts';

/** The packages of a tree as files in the box, with their programs where scripts look for them. */

/** `node_modules/.bin` beside the package, also where a scope lies between. */
function binFolder(folder: string): string {
  const above = dirname(folder);
  return `${above.endsWith('/node_modules') || above === 'node_modules' ? above : dirname(above)}/.bin`;
}

function filesOf(each: TreePackage, folder: string, limits: InstallLimits): readonly BoxFile[] {
  const programs = new Set(programsOf(each.manifest).values());
  return readTarFiles(each.archive, limits.mostArchiveBytes).map(({ path, bytes, isExecutable }) => ({
    path: `${folder}/${path}`,
    bytes,
    mode: isExecutable || programs.has(path) ? 0o755 : 0o644,
  }));
}

const forBuilders = /(?:^|\/)(?!lib\.)[^/]*\.(?:d\.[cm]?ts|map)$/;

/** Nothing that runs reads them, and they are more than half of what some trees consist of. */
export function isTrimmed({ packages, placed }: NpmTree, limits: InstallLimits): boolean {
  return placed.reduce((sum, { key }) => sum + (packages.get(key)?.files ?? 0), 0) > limits.mostWholeFiles;
}

/** The package under `whole` is placed with everything in it: it is the one that is studied. */
export function treeSources(tree: NpmTree, whole: string | null, limits: InstallLimits): readonly FileSource[] {
  const isLarge = isTrimmed(tree, limits);
  return tree.placed.flatMap(({ folder, key }): FileSource[] => {
    const each = tree.packages.get(key);
    if (each === undefined) return [];
    const inBox = `${appFolder}/${folder}`;
    const programs = [...programsOf(each.manifest)].map(([name, path]) =>
      handOver(`${appFolder}/${binFolder(folder)}`, name, `${inBox}/${path}`),
    );
    const isKept = ({ path }: BoxFile): boolean => !isLarge || key === whole || !forBuilders.test(path);
    return [{ what: key, read: async () => [...filesOf(each, inBox, limits).filter(isKept), ...programs] }];
  });
}

export function trimProblems(tree: NpmTree, limits: InstallLimits): readonly string[] {
  return isTrimmed(tree, limits) ? ['the tree is large: types and source maps of dependencies are not in the box'] : [];
}

/** Whose scripts run: what was placed last is needed by what was placed before it, and so comes first. */
export function scriptHolders({ packages, placed }: NpmTree): readonly ScriptHolder[] {
  return [...placed].reverse().flatMap(({ folder, key }: Placed): ScriptHolder[] => {
    const each = packages.get(key);
    if (each === undefined) return [];
    const { manifest, hasBindings } = each;
    return [{ folder: `${appFolder}/${folder}`, manifest, hasBindings, isProject: false }];
  });
}

export function programPaths({ manifest }: Pick<TreePackage, 'manifest'>, folder: string): readonly string[] {
  const own = [...programsOf(manifest).values()].map((path) => `${folder}/${path}`);
  const main = asString(manifest.main);
  return own.length > 0 || main === undefined ? own : [];
}
