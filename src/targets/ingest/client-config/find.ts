import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clientPlaces } from './clients.ts';
import type { FoundConfig, Platform } from './contract.ts';

export interface Machine {
  readonly home: string;
  readonly platform: Platform;
  readonly cwd: string;
  /** What stands before absolute paths; empty but in tests. */
  readonly root?: string;
  /** `%APPDATA%`, on Windows. */
  readonly applicationData?: string;
}

const dataFolders: Readonly<Record<Platform, (machine: Machine) => string>> = {
  linux: ({ home }) => join(home, '.config'),
  darwin: ({ home }) => join(home, 'Library/Application Support'),
  win32: ({ home, applicationData }) => applicationData ?? join(home, 'AppData/Roaming'),
};

function expand(path: string, machine: Machine): string {
  if (path.startsWith('~/')) return join(machine.home, path.slice(2));
  if (path.startsWith('{data}/')) return join(dataFolders[machine.platform](machine), path.slice('{data}/'.length));
  if (path.startsWith('./')) return join(machine.cwd, path.slice(2));
  return join(machine.root ?? '', path);
}

const mostVisited = 5000;
const deepest = 8;

/** Files of one name below a folder; links are not followed, and the walk ends. */
function walk(folder: string, name: string): string[] {
  const found: string[] = [];
  const pending = [{ folder, depth: 0 }];
  for (let visited = 0; pending.length > 0 && visited < mostVisited; ) {
    const next = pending.shift();
    if (next === undefined) break;
    for (const entry of list(next.folder)) {
      visited += 1;
      const path = join(next.folder, entry.name);
      if (entry.isFile() && entry.name === name) found.push(path);
      else if (entry.isDirectory() && next.depth < deepest) pending.push({ folder: path, depth: next.depth + 1 });
    }
  }
  return found;
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function matches(path: string): string[] {
  const [folder, name] = path.split('/**/');
  if (folder === undefined || name === undefined) return isFile(path) ? [path] : [];
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? walk(folder, name) : [];
}

/** Every config file of every client on this machine, each once, in the order of the table. */
export function findClientConfigs(machine: Machine): FoundConfig[] {
  const found = new Map<string, FoundConfig>();
  for (const { client, scope, paths, platforms } of clientPlaces) {
    if (platforms !== undefined && !platforms.includes(machine.platform)) continue;
    for (const path of paths.flatMap((one) => matches(expand(one, machine)))) {
      if (!found.has(path)) found.set(path, { client, scope, path });
    }
  }
  return [...found.values()];
}
