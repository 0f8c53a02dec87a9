import { posix } from 'node:path';
import { describeError } from '../../../../base/errors.ts';
import type { Finding } from '../../../../base/finding-schema.ts';
import type { Inspected, Inspection, Issue } from '../contract.ts';
import { readText } from '../read-file.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { buildGraph, type Lock } from './builder.ts';
import { type Bom, toCycloneDx } from './cyclonedx.ts';
import type { Graph } from './graph.ts';
import { readNodeModules, readSitePackages } from './installed.ts';
import { mergeGraphs } from './merge.ts';
import type { Siblings } from './reader.ts';
import { lockReaders } from './readers/index.ts';
import { sbomRules } from './rules.ts';

export type { Bom } from './cyclonedx.ts';
export { toCycloneDx } from './cyclonedx.ts';
export type { Component, Ecosystem, Graph } from './graph.ts';
export { makePurl, normalisePythonName } from './purl.ts';
export { type FilesExample, sbomRules } from './rules.ts';
export { type BomWithVulnerabilities, type KnownVulnerability, withVulnerabilities } from './vulnerabilities.ts';

export interface Sbom {
  readonly graph: Graph;
  readonly bom: Bom;
}

const isInstalled = (path: string): boolean => /(?:^|\/)(?:node_modules|site-packages|\.venv)\//.test(path);
const mostLockFiles = 200;

function readLock(inspected: Inspected, path: string, issues: Issue[]): Lock | undefined {
  const folder = posix.dirname(path);
  const siblings: Siblings = (relative) => {
    const beside = posix.normalize(posix.join(folder, relative));
    if (!inspected.files.includes(beside)) return undefined;
    const read = readText(inspected.root, beside);
    return 'problem' in read ? undefined : read.text;
  };
  const read = readText(inspected.root, path);
  const reader = lockReaders.find(({ isFor }) => isFor(posix.basename(path)));
  if (reader === undefined) return undefined;
  if ('problem' in read) {
    issues.push({ path, problem: read.problem });
    return undefined;
  }
  try {
    return reader.read(read.text, siblings);
  } catch (cause) {
    issues.push({ path, problem: describeError(cause) });
    return undefined;
  }
}

/** In every folder the best file of each ecosystem; when that one is broken, the next. */
function readFolders(inspected: Inspected, issues: Issue[]): readonly Graph[] {
  const known = inspected.files
    .filter((path) => !isInstalled(path))
    .flatMap((path) => {
      const reader = lockReaders.find(({ isFor }) => isFor(posix.basename(path)));
      return reader === undefined ? [] : [{ path, reader, group: `${posix.dirname(path)} ${reader.ecosystem}` }];
    })
    .sort(
      // Of several requirements files the one with the plain name is what gets installed.
      (left, right) =>
        right.reader.rank - left.reader.rank ||
        left.path.length - right.path.length ||
        (left.path < right.path ? -1 : 1),
    );
  if (known.length > mostLockFiles)
    issues.push({ path: '.', problem: `has ${known.length} lock files and manifests; ${mostLockFiles} were read` });
  const done = new Set<string>();
  const graphs: Graph[] = [];
  for (const { path, group } of known.slice(0, mostLockFiles)) {
    if (done.has(group)) continue;
    const folder = posix.dirname(path);
    const isNpm = group.endsWith(' npm');
    const lock =
      (isNpm ? readNodeModules(inspected, folder === '.' ? '' : folder) : undefined) ??
      readLock(inspected, path, issues);
    if (lock === undefined) continue;
    done.add(group);
    graphs.push(buildGraph(lock, path));
  }
  return graphs;
}

/** Formats that are known and not read: told, so that nobody takes their folder for one without a lock. */
const unreadLocks: Readonly<Record<string, string>> = {
  'bun.lockb': 'is a binary lock file, which is not read; `bun install --save-text-lockfile` writes bun.lock',
  'deno.lock': 'is a lock file of Deno, which is not read',
  'pdm.lock': 'is a lock file of PDM, which is not read',
};

function unreadIssues({ files }: Inspected): readonly Issue[] {
  const names = new Set(files.map((path) => posix.basename(path)));
  const hasText = names.has('bun.lock');
  return files
    .filter((path) => !isInstalled(path) && !(hasText && posix.basename(path) === 'bun.lockb'))
    .flatMap((path) => {
      const name = posix.basename(path);
      const problem = Object.hasOwn(unreadLocks, name) ? unreadLocks[name] : undefined;
      return problem === undefined ? [] : [{ path, problem }];
    });
}

function findingsOf(graph: Graph): readonly Finding[] {
  const broken = graph.issues.map(({ path, problem }) =>
    makeFinding(sbomRules.broken, {
      identity: [path, problem.replace(/\d+/g, '#')],
      title: `${path} ${problem}`,
      evidenceClass: 'U',
      locations: [{ path }],
      evidence: [{ kind: 'package', ref: path, excerpt: excerpt(problem) }],
    }),
  );
  if (graph.isComplete || graph.components.length === 0) return broken;
  const open = graph.components.filter(({ version, isDevelopment }) => version === undefined && !isDevelopment);
  if (open.length === 0 && graph.issues.length > 0) return broken;
  const [path = '.'] = graph.sources;
  const some = open.slice(0, 5).map(({ name, range }) => (range === undefined ? name : `${name} ${range}`));
  return [
    ...broken,
    makeFinding(sbomRules.incomplete, {
      identity: [path],
      evidenceClass: 'U',
      locations: graph.sources.map((source) => ({ path: source })),
      evidence: [
        { kind: 'package', ref: path, excerpt: excerpt(some.length === 0 ? 'no lock file' : some.join(', ')) },
      ],
    }),
  ];
}

/** Reads every lock file of a target into one graph. A broken one is an issue and a finding of class U, never an end. */
export function inspectSbom(inspected: Inspected): Inspection<Sbom> {
  const issues: Issue[] = [...unreadIssues(inspected)];
  const graphs = [...readFolders(inspected, issues)];
  const site = readSitePackages(inspected);
  if (site !== undefined)
    graphs.push(buildGraph(site, inspected.files.find((path) => path.endsWith('.dist-info/METADATA')) ?? '.'));
  const graph = mergeGraphs(graphs, issues);
  return { findings: findingsOf(graph), issues: graph.issues, data: { graph, bom: toCycloneDx(graph) } };
}
