import { z } from 'zod';
import { describeError, UsageError } from '../base/errors.ts';
import type { Finding } from '../base/finding-schema.ts';
import { formatJson } from '../base/format-json.ts';
import type { Report, Suppression } from '../base/report-schema.ts';

/** A baseline: findings that somebody has looked at and accepted, by their ids, each with a reason. */

const entrySchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  rule: z.string().max(96),
  title: z.string().max(256),
  reason: z.string().min(3).max(512),
});

const baselineSchema = z.strictObject({
  format: z.literal('hotcell-baseline'),
  version: z.literal(1),
  findings: z.array(entrySchema).max(100_000),
});
export type Baseline = z.infer<typeof baselineSchema>;

export const emptyBaseline: Baseline = { format: 'hotcell-baseline', version: 1, findings: [] };

export function parseBaseline(text: string, path: string): Baseline {
  try {
    return baselineSchema.parse(JSON.parse(text));
  } catch (cause) {
    const because = cause instanceof z.ZodError ? z.prettifyError(cause) : describeError(cause);
    throw new UsageError(`cannot read the baseline ${JSON.stringify(path)}: ${because}`, {
      cause,
      hint: '--write-baseline makes one',
    });
  }
}

/** Everything that a report found, to be accepted. The reasons that were there stay. */
export function writeBaseline(report: Report, known: Baseline = emptyBaseline): string {
  const reasons = new Map(known.findings.map(({ id, reason }) => [id, reason]));
  const all = report.subjects.flatMap(({ findings, suppressed }) => [
    ...findings,
    ...suppressed.filter(({ by }) => by === 'baseline').map(({ finding }) => finding),
  ]);
  const entries = new Map(
    all.map(({ id, rule, title }) => [
      id,
      { id, rule, title, reason: reasons.get(id) ?? 'accepted when the baseline was made' },
    ]),
  );
  const findings = [...entries.values()].toSorted((left, right) => left.id.localeCompare(right.id));
  return formatJson({ format: 'hotcell-baseline', version: 1, findings });
}

export interface Sorted {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppression[];
}

export function applyBaseline(findings: readonly Finding[], { findings: known }: Baseline): Sorted {
  const reasons = new Map(known.map(({ id, reason }) => [id, reason]));
  return {
    findings: findings.filter(({ id }) => !reasons.has(id)),
    suppressed: findings.flatMap((finding): Suppression[] => {
      const reason = reasons.get(finding.id);
      return reason === undefined ? [] : [{ finding, by: 'baseline', reason }];
    }),
  };
}
