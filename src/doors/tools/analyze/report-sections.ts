import type { Analysis } from '../../../base/analysis-schema.ts';
import { type Report, type Subject, worstFirst } from '../../../base/report-schema.ts';

/** A report in parts, each a list of rows. What has no rows was not seen: a server that was only read has no processes. */

export const sectionNames = [
  'verdict',
  'findings',
  'tools',
  'network',
  'files',
  'processes',
  'policy',
  'coverage',
  'timeline',
] as const;
export type SectionName = (typeof sectionNames)[number];

type Row = object;
type Section = (subject: Subject, report: Report) => readonly Row[];

/** Rows of what was seen while it ran. */
const seen =
  (rows: (analysis: Analysis) => readonly Row[]): Section =>
  ({ analysis }) =>
    analysis === undefined ? [] : rows(analysis);

const part = (name: string, rows: readonly Row[]): readonly Row[] => rows.map((row) => ({ part: name, ...row }));

export const reportSections: Readonly<Record<SectionName, Section>> = {
  verdict: ({ target, analysis, findings, suppressed }, { isComplete, startedAt, durationMs, instrument }) => [
    {
      target,
      instrument,
      startedAt,
      durationMs,
      isComplete,
      findings: findings.length,
      suppressed: suppressed.length,
      ...(analysis === undefined
        ? {}
        : { verdict: analysis.verdict, backend: analysis.backend, server: analysis.server, start: analysis.start }),
    },
  ],
  findings: ({ findings, analysis }) =>
    worstFirst(findings).map((finding) => ({
      id: finding.id,
      severity: finding.severity,
      evidenceClass: finding.evidenceClass,
      axis: finding.axis,
      rule: finding.rule,
      title: finding.title,
      cwe: finding.cwe,
      location: finding.locations.at(-1) ?? null,
      hasProof: analysis?.proofs.some((proof) => proof.finding === finding.id) ?? false,
    })),
  tools: seen(({ tools, listings }) => [...part('tool', tools), ...part('listing', listings)]),
  network: seen(({ hosts }) => hosts),
  files: seen(({ files }) => files),
  processes: seen(({ processes }) => processes),
  policy: seen(({ policy, refused }) => [
    ...(policy === null
      ? []
      : [
          { part: 'limits', mode: policy.network.mode, ...policy.limits },
          ...part('file', policy.files),
          ...part('host', policy.network.rules),
          ...part('variable', policy.environment),
        ]),
    ...part('refused', refused),
  ]),
  coverage: ({ checks, analysis }) => [
    ...part('check', checks),
    ...(analysis === undefined
      ? []
      : [
          { part: 'coverage', ...analysis.verdict.coverage },
          ...part('sensor', analysis.completeness.sensors),
          ...part('not tried', analysis.notTried),
          ...(Object.keys(analysis.leftOut).length === 0 ? [] : [{ part: 'left out', lists: analysis.leftOut }]),
        ]),
  ],
  timeline: seen(({ phases, calls }) =>
    [...part('phase', phases), ...part('call', calls)].toSorted((left, right) => fromMs(left) - fromMs(right)),
  ),
};

function fromMs(row: Row): number {
  return 'fromMs' in row && typeof row.fromMs === 'number' ? row.fromMs : 0;
}

export function rowsOf(report: Report, section: SectionName): readonly Row[] {
  return report.subjects.flatMap((subject) => reportSections[section](subject, report));
}
