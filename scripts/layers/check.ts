import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import type { House } from './house.ts';
import { findImports } from './imports.ts';
import { readSources, type SourceFile } from './sources.ts';

/** The rules of the house. Each returns sentences that begin with the file and line. */

interface Place {
  readonly floor: string;
  /** `engine/box`, or the floor itself where it has no folders. */
  readonly folder: string;
}

/** Files directly in src/ are the doors to everything and stand above all floors. */
export function placeOf(path: string, house: House): Place | null {
  const [source, floor = '', folder = '', ...rest] = path.split('/');
  if (source !== 'src' || !house.floors.includes(floor)) return null;
  const isDeclaredWhole = house.folders[floor] !== undefined;
  const hasFolder = rest.length > 0 || !/\.[a-z]+$/.test(folder);
  return { floor, folder: isDeclaredWhole || !hasFolder ? floor : `${floor}/${folder}` };
}

/** `@scope/name/deep/file` -> `@scope/name` */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const isBuiltin = (specifier: string): boolean => specifier.startsWith('node:') || builtinModules.includes(specifier);

function whyNotImport(from: Place, to: Place, house: House): string | null {
  if (from.folder === to.folder) return null;
  const [fromLevel, toLevel] = [house.floors.indexOf(from.floor), house.floors.indexOf(to.floor)];
  if (toLevel > fromLevel) return null;
  if (toLevel < fromLevel) return `${from.floor} is below ${to.floor}: imports point down only`;
  if (house.separate.includes(from.floor)) return `folders of ${from.floor} never import each other`;
  if (house.folders[from.folder]?.neighbours.includes(to.folder)) return null;
  return `${from.folder} does not declare ${to.folder} as a neighbour in layers.json`;
}

interface Use {
  readonly owner: string;
  readonly name: string;
  readonly isTest: boolean;
}

function checkFile(file: SourceFile, owner: string, house: House, uses: Use[]): readonly string[] {
  const from = placeOf(file.path, house);
  const isTest = file.path.endsWith('.test.ts');
  return findImports(file.text).flatMap(({ specifier, line }): readonly string[] => {
    const at = `${file.path}:${line}`;
    if (specifier === null) return [`${at}: what this imports is computed, so nobody can check it`];
    if (isBuiltin(specifier)) return specifier.startsWith('node:') ? [] : [`${at}: write node:${specifier}`];
    if (!specifier.startsWith('.')) {
      if (specifier.startsWith('/') || specifier.includes(':'))
        return [`${at}: ${specifier} is not a package or a relative path`];
      uses.push({ owner, name: packageOf(specifier), isTest });
      return [];
    }
    const target = posix.normalize(posix.join(posix.dirname(file.path), specifier));
    if (from === null) return [];
    const to = placeOf(target, house);
    if (to === null) {
      const isForTests = isTest && house.testFolders.some((folder) => target.startsWith(`${folder}/`));
      return isForTests ? [] : [`${at}: ${target} is outside the floors`];
    }
    const reason = whyNotImport(from, to, house);
    return reason === null ? [] : [`${at}: imports ${target}: ${reason}`];
  });
}

function packagesOf(owner: string, house: House): readonly string[] {
  return house.folders[owner]?.packages ?? house.outside[owner]?.packages ?? [];
}

function checkPackages(uses: readonly Use[], house: House): readonly string[] {
  const problems = new Set<string>();
  for (const { owner, name, isTest } of uses) {
    const isAllowed = packagesOf(owner, house).includes(name) || (isTest && house.testPackages.includes(name));
    if (!isAllowed) problems.add(`${owner}: uses the package ${name}, which layers.json does not declare for it`);
  }
  for (const owner of [...Object.keys(house.folders), ...Object.keys(house.outside)]) {
    for (const name of packagesOf(owner, house)) {
      if (uses.some((use) => use.owner === owner && use.name === name)) continue;
      problems.add(`${owner}: layers.json declares the package ${name}, which it does not use`);
    }
  }
  return [...problems];
}

function checkFolders(root: string, house: House): readonly string[] {
  const floors = house.floors.filter((floor) => !existsSync(join(root, 'src', floor)));
  const folders = Object.keys(house.folders).filter((folder) => !existsSync(join(root, 'src', folder)));
  const neighbours = Object.entries(house.folders).flatMap(([folder, { neighbours: declared }]) =>
    declared
      .filter((name) => house.folders[name] === undefined)
      .map((name) => `${folder}: its neighbour ${name} is no folder of layers.json`),
  );
  return [
    ...floors.map((floor) => `src/${floor}: this floor does not exist`),
    ...folders.map((folder) => `src/${folder}: layers.json names it, but it does not exist`),
    ...neighbours,
  ];
}

export interface Checked {
  readonly problems: readonly string[];
  readonly files: number;
}

export function checkHouse(root: string, house: House): Checked {
  const inside = readSources(root, 'src');
  const outside = Object.keys(house.outside).flatMap((folder) =>
    readSources(root, folder).map((file) => ({ file, owner: folder })),
  );
  const owned = [...inside.map((file) => ({ file, owner: placeOf(file.path, house)?.folder ?? 'src' })), ...outside];
  const uses: Use[] = [];
  const imports = owned.flatMap(({ file, owner }) => {
    const isKnown = owner === 'src' || house.folders[owner] !== undefined || house.outside[owner] !== undefined;
    const strange = isKnown ? [] : [`${file.path}: the folder ${owner} is not in layers.json`];
    return [...strange, ...checkFile(file, owner, house, uses)];
  });
  const large = owned
    .map(({ file }) => ({ path: file.path, size: Buffer.byteLength(file.text) }))
    .filter(({ size }) => size > house.largestSourceBytes)
    .map(({ path, size }) => `${path}: ${size} bytes, more than ${house.largestSourceBytes}`);
  const problems = [...checkFolders(root, house), ...imports, ...checkPackages(uses, house), ...large];
  return { problems, files: owned.length };
}
