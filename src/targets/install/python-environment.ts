import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Artefact, Registry } from '../../engine/net/index.ts';
import { searchPath } from '../../engine/policy/tier-environment.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import { resolveDependencies } from '../ingest/fetch/dependencies/resolve.ts';
import { askPipForIndex } from '../ingest/fetch/pip-default-index.ts';
import { createPipSource } from '../ingest/fetch/pip-source.ts';
import { findPythonVersion } from '../ingest/fetch/python-version.ts';
import { appFolder, type FileSource, type InstallLimits, type InstallStep } from './contract.ts';
import {
  asInBox,
  type FetchedProject,
  fetchTree,
  type UnpackedWheel,
  type WantedProject,
  wantedOf,
  wheelSource,
} from './python-tree.ts';
import { environmentFiles, type VirtualEnvironment, virtualEnvironment } from './wheel-files.ts';

/** A virtual environment in the box with the given packages: wheels are placed, source archives are built there. */

export interface PreparedEnvironment {
  readonly venv: VirtualEnvironment;
  readonly registries: readonly Registry[];
  readonly sources: readonly FileSource[];
  readonly steps: readonly InstallStep[];
  readonly wheels: readonly UnpackedWheel[];
  readonly packages: number;
  readonly problems: readonly string[];
}

export interface EnvironmentWish {
  /** As in the metadata of a package: `name>=1; marker`. */
  readonly requires: readonly string[];
  readonly extras: readonly string[];
  /** Put there besides what is required: the target itself. */
  readonly besides: readonly WantedProject[];
  /** The project in the box is built by pip, which needs the usual tools for that. */
  readonly buildsProject: boolean;
}

/** What most source archives are built with; others name theirs, and are not built when it is not here. */
const usualBuilders = ['setuptools>=61,<81', 'wheel', 'hatchling', 'flit-core', 'poetry-core'];

const linkScript = 'mkdir -p "$1/bin" && ln -sf /usr/bin/python3 "$1/bin/python" && ln -sf python "$1/bin/python3"';

function hostsOf(places: readonly string[]): readonly string[] {
  return [...new Set(places.flatMap((place) => (URL.canParse(place) ? [new URL(place).host] : [])))].filter(
    (host) => host !== '',
  );
}

async function artefactOf({ name, version, candidate, path }: FetchedProject): Promise<Artefact> {
  const fileName = basename(candidate.file.filename);
  return { name, version, fileName, base64: (await readFile(path)).toString('base64') };
}

export function pipStep(
  venv: VirtualEnvironment,
  what: string,
  index: string,
  args: readonly string[],
  timeoutMs: number,
): InstallStep {
  const quiet = ['--no-input', '--disable-pip-version-check', '--no-cache-dir', '--quiet'];
  return {
    what,
    argv: [
      '/usr/bin/python3',
      '-m',
      'pip',
      `--python=${venv.folder}/bin/python`,
      'install',
      ...quiet,
      '--index-url',
      index,
      '--no-deps',
      ...args,
    ],
    cwd: appFolder,
    timeoutMs,
  };
}

export async function prepareEnvironment(
  wish: EnvironmentWish,
  outside: FetchContext,
  workFolder: string,
  limits: InstallLimits,
): Promise<PreparedEnvironment & { readonly index: string | null }> {
  const context = asInBox(outside, searchPath);
  const version = await findPythonVersion(context);
  const minor = Number(version.split('.')[1]);
  const venv = virtualEnvironment(`${appFolder}/venv`, version);
  const source = createPipSource(context);
  const { requires, extras, besides } = wish;
  const graph = await resolveDependencies({ ecosystem: 'pypi', requires, extras }, context);
  const names = new Set(besides.map(({ name }) => name));
  const wanted = [...besides, ...wantedOf(graph).filter(({ name }) => !names.has(name))];
  const tree = await fetchTree(wanted.slice(0, limits.mostPackages), source, minor, workFolder, limits);
  const builds = wish.buildsProject || tree.sdists.length > 0;
  const index = builds ? (source.settings.indexUrl ?? (await askPipForIndex(context).catch(() => null))) : null;
  const builders = builds
    ? await resolveDependencies({ ecosystem: 'pypi', requires: usualBuilders, extras: [] }, context)
    : null;
  const tools =
    builders === null ? null : await fetchTree(wantedOf(builders), source, minor, `${workFolder}/builders`, limits);
  const artefacts = await Promise.all([...tree.sdists, ...(tools?.wheels ?? [])].map(artefactOf));
  const hosts = hostsOf([
    index ?? '',
    ...source.settings.extraIndexUrls,
    ...tree.sdists.map(({ candidate }) => candidate.file.url),
  ]);
  const lost = graph.unresolved
    .slice(0, 20)
    .map(({ name, range, why }) => `needs ${JSON.stringify(name)} ${JSON.stringify(range)}: ${why}`);
  return {
    venv,
    index,
    registries: hosts.length === 0 ? [] : [{ kind: 'pypi', hosts, artefacts }],
    sources: [
      { what: 'virtual environment', read: async () => environmentFiles(venv, version) },
      ...tree.wheels.map((wheel) => wheelSource(wheel, venv)),
    ],
    steps: [
      {
        what: 'links to Python',
        argv: ['/bin/sh', '-c', linkScript, 'sh', venv.folder],
        cwd: '{home}',
        timeoutMs: limits.stepMs,
      },
      ...(index === null
        ? []
        : tree.sdists.map((each) =>
            pipStep(venv, `build of ${each.name}`, index, [`${each.name}==${each.version}`], limits.buildMs),
          )),
    ],
    wheels: tree.wheels,
    packages: tree.wheels.length + tree.sdists.length - besides.length,
    problems: [...tree.problems, ...(tools?.problems ?? []), ...lost],
  };
}
