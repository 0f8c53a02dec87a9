import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { asObject, asString, asStrings, entriesOf, type JsonObject } from '../../base/json-shape.ts';
import type { Ingested } from '../ingest/contract.ts';
import type { FetchContext } from '../ingest/fetch/contract.ts';
import { readPythonMetadata } from '../ingest/fetch/dependencies/python-metadata.ts';
import { appFolder, type InstallLimits, type InstallOptions, type InstallPlan } from './contract.ts';
import { folderSources } from './folder-files.ts';
import { openNpmArchives } from './npm-archives.ts';
import { mendGraph } from './npm-mend.ts';
import { programsOf } from './npm-programs.ts';
import { scriptHolders, treeSources, trimProblems } from './npm-sources.ts';
import { growTree } from './npm-tree.ts';
import { registriesOf, resolveNpmGraph, stepsOf, unresolvedProblems } from './plan-npm.ts';
import { pipStep, prepareEnvironment } from './python-environment.ts';
import { readInlineRequires, readRequirements } from './python-requires.ts';
import { type ConsoleScript, consoleScriptFile, readEntryPoints, readReference } from './wheel-files.ts';

/** A folder of files: a project in JavaScript or Python, a bundle, or a single script. It is copied as it is. */

type Options = InstallOptions & { readonly limits: InstallLimits };

const dependencyPath = /(^|\/)(?:node_modules|site-packages)\//;

function projectFiles(ingested: Ingested, isWithDependencies: boolean): Ingested['files'] {
  return isWithDependencies ? ingested.files : ingested.files.filter(({ path }) => !dependencyPath.test(path));
}

const hasFile = ({ files }: Ingested, path: string): boolean => files.some((file) => file.path === path);

/** What a build would have to make: a program or main file that the manifest names and that is not there. */
function isUnbuilt(ingested: Ingested, manifest: JsonObject): boolean {
  const named = [...programsOf(manifest).values()];
  const main = asString(manifest.main)?.replace(/^\.\//, '');
  const wanted = named.length > 0 ? named : main === undefined ? [] : [main];
  return (
    wanted.length > 0 &&
    wanted.every((path) => ![path, `${path}.js`, `${path}/index.js`].some((file) => hasFile(ingested, file)))
  );
}

function buildScripts(manifest: JsonObject): JsonObject {
  const scripts = asObject(manifest.scripts);
  const isPrepared =
    asString(scripts.prepare)?.includes('build') === true || asString(scripts.prepare)?.includes('tsc') === true;
  return isPrepared ? scripts : { ...scripts, prepare: asString(scripts.build) ?? '' };
}

async function planJavaScript(
  ingested: Ingested,
  manifest: JsonObject,
  context: FetchContext,
  { limits, workFolder, graph: known }: Options,
): Promise<InstallPlan> {
  const needsBuild = isUnbuilt(ingested, manifest) && asObject(manifest.scripts).build !== undefined;
  const dependencies = {
    ...(needsBuild ? asObject(manifest.devDependencies) : {}),
    ...asObject(manifest.dependencies),
  };
  const wished = { ...manifest, dependencies };
  const isThere = Object.keys(dependencies).every((name) => hasFile(ingested, `node_modules/${name}/package.json`));
  const own = folderSources(ingested.folder, projectFiles(ingested, isThere), limits);
  const scripts = needsBuild ? buildScripts(manifest) : manifest.scripts;
  const project = {
    folder: appFolder,
    manifest: { ...manifest, scripts },
    hasBindings: hasFile(ingested, 'binding.gyp'),
    isProject: needsBuild,
  };
  const installed = {
    folder: appFolder,
    programs: [...programsOf(manifest).values()].map((path) => `${appFolder}/${path}`),
  };
  const close = async (): Promise<void> => undefined;
  const base = { ecosystem: 'npm' as const, installed, close };
  if (isThere) {
    const steps = stepsOf([project], limits);
    return { ...base, registries: [], sources: own.sources, steps, packages: 0, problems: own.problems };
  }
  const archives = await openNpmArchives(context, workFolder);
  const resolved = needsBuild || known === undefined ? await resolveNpmGraph(wished, context) : known;
  const { graph, overrides, problems } = await mendGraph(resolved, wished, context);
  const tree = await growTree(
    { manifest: wished, direct: graph.direct, overrides, besides: [] },
    graph,
    archives,
    limits,
  );
  const steps = stepsOf([...scriptHolders(tree), project], limits).map((step) =>
    needsBuild && step.cwd === appFolder ? { ...step, timeoutMs: limits.buildMs } : step,
  );
  return {
    ...base,
    registries: registriesOf(tree, archives, null, limits),
    sources: [...own.sources, ...treeSources(tree, null, limits)],
    steps,
    packages: tree.packages.size,
    problems: [
      ...own.problems,
      ...problems,
      ...tree.problems,
      ...trimProblems(tree, limits),
      ...unresolvedProblems(graph),
    ],
  };
}

interface PythonWishes {
  readonly requires: readonly string[];
  readonly scripts: readonly ConsoleScript[];
  readonly hasSetup: boolean;
}

async function readText(folder: string, path: string): Promise<string> {
  return (await readFile(join(folder, path), 'utf8').catch(() => '')).slice(0, 1024 * 1024);
}

function readPyproject(text: string): Omit<PythonWishes, 'hasSetup'> {
  try {
    const project = asObject(asObject(parseToml(text)).project);
    const scripts = entriesOf(project.scripts).flatMap(([name, value]) => {
      const script = typeof value === 'string' ? readReference(name, value) : null;
      return script === null ? [] : [script];
    });
    return { requires: asStrings(project.dependencies), scripts };
  } catch {
    return { requires: [], scripts: [] };
  }
}

async function readPython(ingested: Ingested): Promise<PythonWishes> {
  const { folder, manifests, lockfiles, entry } = ingested;
  const pathOf = (kind: string): string | undefined => manifests.find((found) => found.kind === kind)?.path;
  const pyproject = readPyproject(await readText(folder, pathOf('python-project') ?? 'pyproject.toml'));
  const listed = lockfiles.find((lock) => lock.kind === 'requirements' && !lock.path.includes('dev'))?.path;
  const requirements = listed === undefined ? [] : readRequirements(await readText(folder, listed));
  const inline = entry?.endsWith('.py') === true ? readInlineRequires(await readText(folder, entry)) : [];
  const metadata = pathOf('python-metadata');
  const wheel = metadata === undefined ? '' : await readText(folder, metadata);
  const points = metadata === undefined ? '' : await readText(folder, join(dirname(metadata), 'entry_points.txt'));
  return {
    requires: [...new Set([...pyproject.requires, ...requirements, ...inline, ...readPythonMetadata(wheel).requires])],
    scripts: pyproject.scripts.length > 0 ? pyproject.scripts : readEntryPoints(points),
    hasSetup: hasFile(ingested, 'setup.py'),
  };
}

async function planPython(
  ingested: Ingested,
  context: FetchContext,
  { limits, workFolder }: Options,
): Promise<InstallPlan> {
  const work = await mkdtemp(join(workFolder, 'install-'));
  const close = (): Promise<void> => rm(work, { recursive: true, force: true });
  try {
    const { requires, scripts, hasSetup } = await readPython(ingested);
    const own = folderSources(ingested.folder, projectFiles(ingested, false), limits);
    const base = { ecosystem: 'pypi' as const, close };
    if (requires.length === 0 && scripts.length === 0 && !hasSetup) {
      const installed = { folder: appFolder, programs: [] };
      return {
        ...base,
        registries: [],
        sources: own.sources,
        steps: [],
        installed,
        packages: 0,
        problems: own.problems,
      };
    }
    const wish = { requires, extras: [], besides: [], buildsProject: hasSetup };
    const { venv, index, ...prepared } = await prepareEnvironment(wish, context, work, limits);
    // The project's own modules are found where they lie, as with an editable install.
    const ways = ['../../../..', '../../../../src'].map((way) => `${way}\n`).join('');
    const links = { path: `${venv.packages}/app.pth`, bytes: Buffer.from(ways), mode: 0o644 };
    const programs = scripts.map((script) => consoleScriptFile(script, venv));
    const build = hasSetup && index !== null ? [pipStep(venv, 'setup.py', index, [appFolder], limits.buildMs)] : [];
    return {
      ...base,
      registries: prepared.registries,
      sources: [...own.sources, ...prepared.sources, { what: 'programs', read: async () => [links, ...programs] }],
      steps: [...prepared.steps, ...build],
      installed: { folder: appFolder, programs: [`${venv.folder}/bin/python`, ...programs.map(({ path }) => path)] },
      packages: prepared.packages,
      problems: [...own.problems, ...prepared.problems],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const pythonKinds = new Set(['python-project', 'python-setup', 'python-metadata']);

function isPython({ manifests, lockfiles, entry, files }: Ingested): boolean {
  if (entry !== undefined) return entry.endsWith('.py');
  const hasKind = manifests.some(({ kind, path }) => pythonKinds.has(kind) && dirname(path) === '.');
  return (
    hasKind ||
    lockfiles.some(({ kind }) => kind === 'requirements') ||
    files.some(({ path }) => /^[\w-]+\.py$/.test(path))
  );
}

export async function planProject(
  ingested: Ingested,
  manifest: JsonObject | null,
  context: FetchContext,
  options: Options,
): Promise<InstallPlan> {
  const isScriptInPython = ingested.entry?.endsWith('.py') === true;
  if (manifest !== null && !isScriptInPython) return planJavaScript(ingested, manifest, context, options);
  if (isPython(ingested)) return planPython(ingested, context, options);
  const { sources, problems } = folderSources(ingested.folder, ingested.files, options.limits);
  const entry = ingested.entry === undefined ? [] : [`${appFolder}/${basename(ingested.entry)}`];
  return {
    ecosystem: 'none',
    registries: [],
    sources,
    steps: [],
    installed: { folder: appFolder, programs: entry },
    packages: 0,
    problems,
    close: async () => undefined,
  };
}
