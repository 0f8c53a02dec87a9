import { describeError } from '../../../../base/errors.ts';
import { type Finding, type Severity, severities } from '../../../../base/finding-schema.ts';
import type { Inspected, Inspection, Issue } from '../contract.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { type Component, type Graph, makePurl, type Sbom } from '../sbom/index.ts';
import type { AdvisoryKind } from './advisory.ts';
import { type CombinedMatch, combineMatches } from './combine.ts';
import { importedPackages } from './imported-packages.ts';
import { type Reachability, reachabilities } from './reachability.ts';
import { advisoryRules } from './rules.ts';
import { type AdvisorySource, type SourceAnswer, unreachable } from './source.ts';

export { fetchClient, type HttpClient } from './http.ts';
export { importedPackages } from './imported-packages.ts';
export { importOsv } from './osv-import.ts';
export { type OsvIndexMeta, readIndexMeta } from './osv-index.ts';
export { advisoryRules } from './rules.ts';
export type { AdvisorySource, SourceAnswer } from './source.ts';
export { bundledSource } from './sources/bundled.ts';
export { npmBulkSource } from './sources/npm-bulk.ts';
export { osvApiSource } from './sources/osv-api.ts';
export { osvOfflineSource } from './sources/osv-offline.ts';
export { osvScanner } from './sources/osv-scanner.ts';
export { scannerSource } from './sources/scanner.ts';
export { trivy } from './sources/trivy.ts';

export interface AdvisoryMatch extends CombinedMatch {
  readonly reachability: Reachability;
}

export interface AdvisoryReport {
  /** `none-known` only when every package was answered for by a source that covers it and is fresh. */
  readonly outcome: 'found' | 'none-known' | 'unknown';
  readonly isAnswered: boolean;
  readonly sources: readonly Omit<SourceAnswer, 'matches' | 'unanswered'>[];
  readonly matches: readonly AdvisoryMatch[];
  /** Purls that no source answered for. */
  readonly unanswered: readonly string[];
  readonly asked: number;
  /** Packages for development only, which an install does not bring and nobody was asked about. */
  readonly leftOut: number;
}

export interface AdvisoryOptions {
  readonly sources: readonly AdvisorySource[];
  readonly now: Date;
  readonly withDevelopment?: boolean;
}

/** The server itself is a package too. */
function rootComponent({ root }: Graph): readonly Component[] {
  const purl = root.name === 'target' ? undefined : makePurl(root.ecosystem, root.name, root.version);
  if (purl === undefined || root.version === undefined) return [];
  const { name, version, ecosystem } = root;
  return [
    {
      purl,
      ecosystem,
      name,
      version,
      range: undefined,
      hashes: [],
      licences: [],
      isDevelopment: false,
      isOptional: false,
      origin: undefined,
      dependsOn: [],
    },
  ];
}

async function askSafely(
  source: AdvisorySource,
  question: Parameters<AdvisorySource['ask']>[0],
): Promise<SourceAnswer> {
  try {
    return await source.ask(question);
  } catch (error) {
    return unreachable(source, describeError(error));
  }
}

const ruleOf = {
  vulnerability: advisoryRules.vulnerability,
  malicious: advisoryRules.malicious,
  unmaintained: advisoryRules.unmaintained,
} as const satisfies Record<AdvisoryKind, unknown>;

function lower(severity: Severity): Severity {
  return severities[Math.max(0, severities.indexOf(severity) - 1)] ?? severity;
}

const words: Readonly<Record<Reachability, string>> = {
  imported: 'the server imports it',
  through: 'reached through a package that the server imports',
  'not-imported': 'never imported by the server',
  unknown: 'not known whether the server reaches it',
};

function findingOf(match: AdvisoryMatch, path: string): Finding {
  const { component, advisory, ids, fixed, reachability, sources } = match;
  const rule = match.answer === 'unknown' ? advisoryRules.undecided : ruleOf[advisory.kind];
  const stated = match.answer === 'unknown' ? rule.severity : (advisory.severity ?? rule.severity);
  const isVulnerability = advisory.kind === 'vulnerability';
  const shown = component.version === undefined ? component.name : `${component.name} ${component.version}`;
  const names = ids.filter((id) => /^(?:CVE|GHSA|MAL|PYSEC|HOTCELL|NPM|OSV)-/.test(id)).join(', ');
  const told = [
    `${advisory.summary}. ${words[reachability]}.`,
    fixed === undefined ? 'No fixed version is known.' : `Fixed in ${fixed}.`,
    `Known to: ${sources.join(', ')} (${advisory.provenance}).`,
    ...advisory.references.slice(0, 2),
  ];
  return makeFinding(rule, {
    identity: [component.purl, ids[0] ?? advisory.id],
    title: `${shown}: ${advisory.summary}${names === '' ? '' : ` (${names})`}`,
    severity: isVulnerability && reachability === 'not-imported' ? lower(stated) : stated,
    evidenceClass: match.answer === 'unknown' ? 'U' : 'D',
    cwe: advisory.cwe.length === 0 ? rule.cwe : advisory.cwe,
    locations: [{ path }],
    evidence: [{ kind: 'package', ref: component.purl, excerpt: excerpt(told.join(' ')) }],
    ...(isVulnerability && fixed !== undefined
      ? { remediation: `Update ${component.name} to ${fixed} or later.` }
      : {}),
  });
}

/** Asks every source about every package and joins what they say. The files are only read for their imports. */
export async function inspectAdvisories(
  inspected: Inspected,
  { graph, bom }: Sbom,
  options: AdvisoryOptions,
): Promise<Inspection<AdvisoryReport>> {
  const running = graph.components.filter(({ isDevelopment }) => options.withDevelopment === true || !isDevelopment);
  const own = rootComponent(graph);
  const components = [...own, ...running.filter(({ purl }) => purl !== own[0]?.purl)];
  const question = { components, bom, now: options.now };
  const answers = await Promise.all(options.sources.map((source) => askSafely(source, question)));
  const reach = reachabilities(graph, importedPackages(inspected.root, inspected.files));
  const matches = combineMatches(answers.flatMap((answer) => answer.matches)).map((match): AdvisoryMatch => {
    const isOwn = match.component.purl === own[0]?.purl;
    return { ...match, reachability: isOwn ? 'imported' : (reach.get(match.component.purl) ?? 'unknown') };
  });
  const useful = answers.filter(({ isReachable, isFresh }) => isReachable && isFresh);
  const unanswered = components
    .filter(
      ({ ecosystem, purl }) =>
        !useful.some((answer) => answer.covers.includes(ecosystem) && !answer.unanswered.includes(purl)),
    )
    .map(({ purl }) => purl);
  const isAnswered = unanswered.length === 0 && (components.length > 0 || graph.isComplete);
  const path = graph.sources[0] ?? inspected.files[0] ?? '.';
  const issues: Issue[] = answers
    .filter(({ isReachable }) => !isReachable)
    .map(({ title, because }) => ({ path: '.', problem: `${title}: ${because ?? 'no answer'}` }));
  const findings = matches.map((match) => findingOf(match, path));
  if (!isAnswered) findings.push(unansweredFinding(answers, unanswered, components.length, path));
  return {
    findings,
    issues,
    data: {
      outcome: matches.some(({ advisory }) => advisory.kind !== 'unmaintained')
        ? 'found'
        : isAnswered
          ? 'none-known'
          : 'unknown',
      isAnswered,
      sources: answers.map(({ matches: _matches, unanswered: _unanswered, ...rest }) => rest),
      matches,
      unanswered,
      asked: components.length,
      leftOut: graph.components.length - running.length,
    },
  };
}

function unansweredFinding(
  answers: readonly SourceAnswer[],
  unanswered: readonly string[],
  asked: number,
  path: string,
): Finding {
  const reasons = answers.map(({ title, isReachable, isFresh, because, covers }) => {
    if (!isReachable) return `${title}: ${because ?? 'not reachable'}`;
    if (covers.length === 0) return `${title}: a selection, not every advisory`;
    return isFresh ? `${title}: answered` : `${title}: too old`;
  });
  return makeFinding(advisoryRules.unanswered, {
    identity: [path],
    title: `Known vulnerabilities: not answered for ${unanswered.length} of ${asked} packages`,
    evidenceClass: 'U',
    locations: [{ path }],
    evidence: [{ kind: 'package', ref: path, excerpt: excerpt([...reasons, ...unanswered.slice(0, 20)].join('\n')) }],
  });
}
