import { z } from 'zod';
import { type Finding, severities } from '../../../base/finding-schema.ts';
import { type Report, worstFirst } from '../../../base/report-schema.ts';
import type { ResponseCollector } from '../contract.ts';
import { visibleText } from '../visible.ts';
import { countsSchema, findingLineSchema } from './fields.ts';

/** What a run came to, in a few lines. */

const label = z.string().max(64);

export const summarySchema = z.strictObject({
  run: z.string().max(128).describe('for get_report, get_finding, get_policy and query_events'),
  folder: z.string().max(4096),
  target: z.string().max(9000),
  is_complete: z.boolean().describe('false: what was not found may still be there'),
  band: z.enum(['fails', 'warns', 'passes', 'unknown']).nullable().describe('null where it was only read, not run'),
  risk: z.number().int().min(0).max(100).nullable(),
  axes: z.strictObject({ hostility: label, weakness: label, exposure: label }).nullable(),
  findings: countsSchema,
  worst: z.array(findingLineSchema).max(10),
  notes: z.array(z.string().max(9000)).max(100),
});
export type Summary = z.infer<typeof summarySchema>;

export function countFindings(findings: readonly Pick<Finding, 'severity'>[]): Summary['findings'] {
  const counts = severities.map((severity) => [severity, findings.filter((each) => each.severity === severity).length]);
  return Object.fromEntries(counts) as Summary['findings'];
}

export function findingLine({ id, severity, evidenceClass, rule, title }: Finding): Summary['worst'][number] {
  return { id, severity, evidence_class: evidenceClass, rule, title: visibleText(title, 512) };
}

export function showFindingLines(findings: readonly Summary['worst'][number][]): string {
  return findings
    .map(({ id, severity, evidence_class, rule, title }) => `${id} ${severity} ${evidence_class} ${rule}: ${title}`)
    .join('\n');
}

export interface Kept {
  readonly run: string;
  readonly folder: string;
  readonly notes?: readonly string[];
}

export function summarise({ subjects, isComplete }: Report, { run, folder, notes = [] }: Kept): Summary {
  const findings = subjects.flatMap((subject) => subject.findings);
  const verdict = subjects[0]?.analysis?.verdict;
  return {
    run,
    folder,
    target: visibleText(subjects[0]?.target.spec ?? '', 4096),
    is_complete: isComplete,
    band: verdict?.band ?? null,
    risk: verdict?.risk ?? null,
    axes:
      verdict === undefined
        ? null
        : {
            hostility: verdict.axes.hostility.label,
            weakness: verdict.axes.weakness.label,
            exposure: verdict.axes.exposure.label,
          },
    findings: countFindings(findings),
    worst: worstFirst(findings).slice(0, 10).map(findingLine),
    notes: notes.slice(0, 100).map((note) => visibleText(note, 2000)),
  };
}

/** In words; titles of findings hold names that the target chose. */
export function tellSummary(summary: Summary, out: ResponseCollector): void {
  const { run, band, risk, axes, findings, worst, is_complete, notes } = summary;
  const counts = severities.toReversed().flatMap((each) => (findings[each] === 0 ? [] : [`${findings[each]} ${each}`]));
  const verdict =
    axes === null
      ? 'It was read, not run.'
      : `It ${band === 'unknown' ? 'could not be judged' : band}: hostility ${axes.hostility}, weakness ${axes.weakness}, exposure ${axes.exposure}; risk ${risk ?? 'unknown'} of 100.`;
  out.say(
    [
      `Run ${run}. ${verdict}`,
      `Findings: ${counts.length === 0 ? 'none' : counts.join(', ')}.`,
      ...(is_complete ? [] : ['Not everything could be looked at: what was not found may still be there.']),
    ].join(' '),
  );
  if (worst.length > 0) out.quote({ label: `the worst findings of run ${run}`, text: showFindingLines(worst) });
  for (const note of notes) out.quote({ label: `a note on run ${run}`, text: note });
}
