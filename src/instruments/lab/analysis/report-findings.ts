import { severities } from '../../../base/finding-schema.ts';
import type { LabFinding } from '../contract.ts';
import type { ReportFinding } from '../report/schema.ts';

/** Findings of many sources as one list: the gravest first, each claim once per place. */

export interface SourcedFinding {
  readonly finding: LabFinding;
  readonly source: string;
  readonly inside: string | null;
}

/** Within one severity: what was done, how it is built, what merely lies there. */
const bestKnown = ['behaviour', 'structural', 'artifact'] as const;
const mostFindings = 400;
const mostEvidence = 10;

function toReport({ finding, source, inside }: SourcedFinding): ReportFinding {
  return {
    rule: finding.rule,
    title: finding.title,
    severity: finding.severity,
    evidence_type: finding.evidenceType,
    evidence: finding.evidence.slice(0, mostEvidence).map(({ where, text }) => ({ where, text })),
    benign: finding.benign,
    attack: [...(finding.attack ?? [])],
    mbc: [...(finding.mbc ?? [])],
    source,
    inside,
  };
}

/** The same rule in the same file from two analysers is one finding with the evidence of both. */
function merge(left: ReportFinding, right: ReportFinding): ReportFinding {
  const known = new Set(left.evidence.map(({ where, text }) => `${where}\0${text}`));
  const more = right.evidence.filter(({ where, text }) => !known.has(`${where}\0${text}`));
  return { ...left, evidence: [...left.evidence, ...more].slice(0, mostEvidence) };
}

export function gatherFindings(sourced: readonly SourcedFinding[]): {
  readonly findings: readonly ReportFinding[];
  readonly left: number;
} {
  const byPlace = new Map<string, ReportFinding>();
  for (const one of sourced) {
    const finding = toReport(one);
    const key = `${finding.rule}\0${finding.source}\0${finding.inside ?? ''}\0${finding.title}`;
    const known = byPlace.get(key);
    byPlace.set(key, known === undefined ? finding : merge(known, finding));
  }
  const all = [...byPlace.values()].toSorted(
    (left, right) =>
      severities.indexOf(right.severity) - severities.indexOf(left.severity) ||
      bestKnown.indexOf(left.evidence_type) - bestKnown.indexOf(right.evidence_type),
  );
  return { findings: all.slice(0, mostFindings), left: Math.max(0, all.length - mostFindings) };
}
