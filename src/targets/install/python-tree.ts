import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TargetError } from '../../base/errors.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import type { DependencyGraph } from '../ingest/fetch/dependencies/contract.ts';
import { mapBounded } from '../ingest/fetch/dependencies/pool.ts';
import { downloadFile } from '../ingest/fetch/pip-download.ts';
import type { Candidate } from '../ingest/fetch/pip-select.ts';
import type { PipSource } from '../ingest/fetch/pip-source.ts';
import { unpack } from '../ingest/unpack/unpack.ts';
import type { BoxFile, FileSource, InstallLimits } from './contract.ts';
import {
  type ConsoleScript,
  consoleScriptFile,
  placeOf,
  readEntryPoints,
  scriptFile,
  type VirtualEnvironment,
} from './wheel-files.ts';
import { chooseFile } from './wheel-tags.ts';

/** Python packages as files of a virtual environment; wheels need no code of theirs to be run for that. */

export interface WantedProject {
  readonly name: string;
  readonly version: string;
}

export interface FetchedProject extends WantedProject {
  readonly candidate: Candidate;
  readonly path: string;
}

export interface UnpackedWheel extends FetchedProject {
  readonly folder: string;
  readonly scripts: readonly ConsoleScript[];
}

export interface PythonTree {
  readonly wheels: readonly UnpackedWheel[];
  readonly sdists: readonly FetchedProject[];
  readonly problems: readonly string[];
}

const mostEntryBytes = 256 * 1024;

async function readScripts(folder: string): Promise<readonly ConsoleScript[]> {
  const info = (await readdir(folder)).find((name) => name.endsWith('.dist-info'));
  if (info === undefined) return [];
  const text = await readFile(join(folder, info, 'entry_points.txt'), 'utf8').catch(() => '');
  return readEntryPoints(text.slice(0, mostEntryBytes));
}

export async function fetchTree(
  wanted: readonly WantedProject[],
  source: PipSource,
  minor: number,
  workFolder: string,
  limits: InstallLimits,
): Promise<PythonTree> {
  const problems: string[] = [];
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const fetched = await mapBounded([...wanted.entries()], limits.concurrency, async ([at, each]) => {
    try {
      const candidate = chooseFile(await source.listCandidates(each.name), each.version, minor);
      if (candidate === undefined) throw new TargetError('no file of it fits');
      const { path } = await downloadFile(candidate.file, source);
      const project: FetchedProject = { ...each, candidate, path };
      if (candidate.kind === 'sdist') return { sdist: project };
      const folder = join(workFolder, `wheel-${at}`);
      const { isComplete } = await unpack(path, folder, { limits: { maxTotalBytes: limits.mostBytes } });
      if (!isComplete) throw new TargetError('its archive cannot be unpacked to the end');
      return { wheel: { ...project, folder, scripts: await readScripts(folder) } };
    } catch (error) {
      problems.push(`${each.name} ${each.version}: ${(error as Error).message}`);
      return {};
    }
  });
  return {
    wheels: fetched.flatMap(({ wheel }) => (wheel === undefined ? [] : [wheel])),
    sdists: fetched.flatMap(({ sdist }) => (sdist === undefined ? [] : [sdist])),
    problems,
  };
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

export function wheelSource({ name, folder, scripts }: UnpackedWheel, venv: VirtualEnvironment): FileSource {
  return {
    what: name,
    async read(): Promise<readonly BoxFile[]> {
      const files = await mapBounded(await filesBelow(folder), 8, async (path): Promise<BoxFile> => {
        const bytes = await readFile(join(folder, path));
        const place = placeOf(path, venv);
        return place.isScript ? scriptFile(place.path, bytes) : { path: place.path, bytes, mode: 0o644 };
      });
      return [...files, ...scripts.map((script) => consoleScriptFile(script, venv))];
    },
  };
}

export function wantedOf({ packages }: DependencyGraph): readonly WantedProject[] {
  return packages.filter(({ ecosystem }) => ecosystem === 'pypi').map(({ name, version }) => ({ name, version }));
}

/** Where the box would look first is where this machine looks first: its Python is the one of the box. */
export function asInBox(context: FetchContext, searchPath: string): FetchContext {
  const { environment } = context;
  return { ...context, environment: { ...environment, PATH: `${searchPath}:${environment.PATH ?? ''}` } };
}
