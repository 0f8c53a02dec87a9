import { z } from 'zod';
import { analysisSchema } from './analysis-schema.ts';
import { findingSchema, type Severity, severities } from './finding-schema.ts';

/** A report: what one run of an instrument says about one or more targets. The same document from every instrument. */

export const reportVersion = 1;

/** One thing that was looked at, or could not be: a source of advisories, a kind of inspection, a phase. */
export const checkSchema = z.strictObject({
  id: z.string().min(1).max(96),
  title: z.string().min(1).max(256),
  /** `unknown`: it could not be done or is not whole, so its silence means nothing. */
  is: z.enum(['done', 'unknown', 'not-applicable']),
  because: z.string().max(1024).exactOptional(),
  /** How much was looked at, how fresh a source was. */
  facts: z.record(z.string().max(64), z.union([z.string().max(1024), z.number(), z.boolean(), z.null()])),
});
export type Check = z.infer<typeof checkSchema>;

export const suppressionSchema = z.strictObject({
  finding: findingSchema,
  by: z.enum(['inline', 'baseline']),
  reason: z.string().min(1).max(512),
});
export type Suppression = z.infer<typeof suppressionSchema>;

export const subjectSchema = z.strictObject({
  target: z.strictObject({
    kind: z.string().max(32),
    spec: z.string().max(4096),
    resolved: z
      .strictObject({
        name: z.string().max(256),
        version: z.string().max(256),
        integrity: z.string().max(256).exactOptional(),
      })
      .exactOptional(),
  }),
  findings: z.array(findingSchema),
  suppressed: z.array(suppressionSchema),
  checks: z.array(checkSchema),
  /** Where the target was run. */
  analysis: analysisSchema.exactOptional(),
});
export type Subject = z.infer<typeof subjectSchema>;

export const reportSchema = z.strictObject({
  format: z.literal('hotcell-report'),
  version: z.literal(reportVersion),
  instrument: z.string().max(32),
  tool: z.strictObject({ name: z.literal('hotcell'), version: z.string().max(64) }),
  startedAt: z.iso.datetime(),
  durationMs: z.number().min(0),
  /** False when a check that was wanted is unknown: what was not found may still be there. */
  isComplete: z.boolean(),
  subjects: z.array(subjectSchema),
});
export type Report = z.infer<typeof reportSchema>;

export function reportJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(reportSchema, { target: 'draft-2020-12' }),
    title: 'Hotcell report',
    description: 'What one run of Hotcell says about one or more targets.',
  };
}

export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(least);
}

/** The worst first; within one severity proof before hint, then by rule and place, so that two runs read alike. */
export function worstFirst<T extends z.infer<typeof findingSchema>>(findings: readonly T[]): T[] {
  const place = ({ locations }: T): string => `${locations.at(-1)?.path ?? ''}:${locations.at(-1)?.line ?? 0}`;
  return findings.toSorted(
    (left, right) =>
      severities.indexOf(right.severity) - severities.indexOf(left.severity) ||
      left.evidenceClass.localeCompare(right.evidenceClass) ||
      left.rule.localeCompare(right.rule) ||
      place(left).localeCompare(place(right)) ||
      left.id.localeCompare(right.id),
  );
}
