import { describeError } from '../../../base/errors.ts';
import type { Check } from '../../../base/report-schema.ts';
import type { Ingested } from '../../../targets/ingest/contract.ts';
import { readPythonMetadata } from '../../../targets/ingest/fetch/dependencies/python-metadata.ts';
import { resolveDependencies } from '../../../targets/ingest/fetch/dependencies/resolve.ts';
import { inspectAdvisories } from '../inspect/advisories/index.ts';
import type { Inspected } from '../inspect/contract.ts';
import { inspectPackage, type RegistryRecord, recordOfFacts } from '../inspect/package/index.ts';
import { readJson, readText } from '../inspect/read-file.ts';
import { type Graph, inspectSbom, type Sbom, toCycloneDx, withVulnerabilities } from '../inspect/sbom/index.ts';
import type { ScanContext } from './contract.ts';
import { checkOf, describeIssues, type Looked } from './inspect-code.ts';
import { graphOfDependencies } from './resolved-graph.ts';

/** Where the target comes from and what it brings along. */

export interface Supply extends Looked {
  readonly bom: object | null;
}

/** What the manifest asks for, where no lock file says what that comes to. */
async function resolveGraph(inspected: Inspected, ingested: Ingested, scanning: ScanContext): Promise<Graph | null> {
  const { name, version } = ingested.resolved;
  // Settings of npm and pip that lie in the target are the target's, and not to be obeyed.
  const context = { ...scanning, targetFolder: ingested.folder };
  const manifest = readJson(inspected, 'package.json');
  if (typeof manifest === 'object' && manifest !== null) {
    const resolved = await resolveDependencies(
      { ecosystem: 'npm', manifest: manifest as Record<string, unknown> },
      context,
    );
    return graphOfDependencies({ name, version, ecosystem: 'npm' }, resolved, 'package.json');
  }
  const path = inspected.files.find((file) => /(?:^|\/)(?:METADATA|PKG-INFO)$/.test(file));
  const read = path === undefined ? null : readText(inspected.root, path);
  if (path === undefined || read === null || 'problem' in read) return null;
  const { requires } = readPythonMetadata(read.text);
  const extras = ingested.target.kind === 'pypi' ? ingested.target.extras : [];
  const resolved = await resolveDependencies({ ecosystem: 'pypi', requires, extras }, context);
  return graphOfDependencies({ name, version, ecosystem: 'pypi' }, resolved, path);
}

async function findSbom(
  inspected: Inspected,
  ingested: Ingested,
  context: ScanContext,
): Promise<Looked & { readonly sbom: Sbom }> {
  const read = inspectSbom(inspected);
  // A wheel says what it needs and has no lock file: its own metadata is not what an install would bring.
  const isWheel = ingested.manifests.some(({ kind }) => kind === 'python-metadata') && ingested.lockfiles.length === 0;
  const isWhole = read.data.graph.isComplete && !isWheel;
  const title = 'Bill of materials';
  if (isWhole || !context.resolvesDependencies) {
    const { components } = read.data.graph;
    const problem = isWhole ? undefined : (describeIssues(read.issues) ?? 'no lock file, and nothing was looked up');
    return {
      findings: read.findings,
      checks: [
        checkOf('sbom', title, { packages: components.length, from: read.data.graph.sources.join(' ') }, problem),
      ],
      sbom: read.data,
    };
  }
  context.onProgress(`${ingested.resolved.name}: looking up dependencies`);
  try {
    const graph = await resolveGraph(inspected, ingested, context);
    if (graph !== null) {
      const facts = { packages: graph.components.length, from: 'what an install would bring today' };
      const problem = graph.isComplete
        ? undefined
        : (describeIssues(graph.issues) ?? 'not every dependency could be resolved');
      return {
        findings: [],
        checks: [checkOf('sbom', title, facts, problem)],
        sbom: { graph, bom: toCycloneDx(graph) },
      };
    }
  } catch (error) {
    const facts = { packages: read.data.graph.components.length };
    return { findings: read.findings, checks: [checkOf('sbom', title, facts, describeError(error))], sbom: read.data };
  }
  return {
    findings: read.findings,
    checks: [
      checkOf('sbom', title, { packages: read.data.graph.components.length }, 'no manifest that names dependencies'),
    ],
    sbom: read.data,
  };
}

function registryRecord({ resolved, registry, target }: Ingested): RegistryRecord | undefined {
  if (registry === undefined || resolved.version === undefined) return undefined;
  const started = target.kind === 'command' ? target.starts : target;
  if (started.kind !== 'npm' && started.kind !== 'pypi') return undefined;
  return recordOfFacts(registry, { ecosystem: started.kind, name: resolved.name, version: resolved.version });
}

export async function lookAtSupply(inspected: Inspected, ingested: Ingested, context: ScanContext): Promise<Supply> {
  const { sbom, findings, checks } = await findSbom(inspected, ingested, context);
  context.onProgress(`${ingested.resolved.name}: asking for known vulnerabilities`);
  const advisories = await inspectAdvisories(inspected, sbom, { sources: context.sources, now: context.now });
  const { isAnswered, asked, unanswered, sources } = advisories.data;
  const sourceChecks = sources.map(
    ({ source, title, isReachable, isFresh, because, dataAt }): Check => ({
      id: `advisories/${source}`,
      title: `Advisories: ${title}`,
      is: isReachable ? 'done' : 'not-applicable',
      ...(because === undefined ? {} : { because: because.slice(0, 1024) }),
      facts: { fresh: isFresh, ...(dataAt === undefined ? {} : { 'data of': dataAt }) },
    }),
  );
  const known = advisories.data.matches.map(({ component, advisory, ids, fixed, sources: tellers }) => ({
    id: ids[0] ?? advisory.id,
    aliases: ids.slice(1),
    purl: component.purl,
    summary: advisory.summary,
    severity: advisory.severity,
    score: advisory.score,
    cwe: advisory.cwe,
    sources: tellers,
    fixed,
  }));
  const record = registryRecord(ingested);
  const about = inspectPackage(inspected, { now: context.now, ...(record === undefined ? {} : { registry: record }) });
  return {
    findings: [...findings, ...advisories.findings, ...about.findings],
    checks: [
      ...checks,
      checkOf(
        'advisories',
        'Known vulnerabilities',
        { packages: asked, unanswered: unanswered.length },
        isAnswered ? undefined : 'no source that knows every advisory could be asked',
      ),
      ...sourceChecks,
      checkOf('package', 'Manifest and package', { hooks: about.data.hooks.length }, describeIssues(about.issues)),
    ],
    bom: sbom.graph.components.length === 0 ? null : withVulnerabilities(sbom.bom, known),
  };
}
