import { z } from 'zod';
import { severities } from '../../../base/finding-schema.ts';
import { depths, evidenceTypes } from '../contract.ts';
import { kindIds } from '../kinds.ts';

/** The report on one sample: what it is, what was seen and how that is known. It holds no verdict. Text of the sample is untrusted. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);
const milliseconds = z.number().min(0);

export const kindSchema = z.object({
  id: z.enum(kindIds),
  title: z.string(),
  mime: z.string(),
  nameMismatch: z.string().optional(),
  also: z.array(z.enum(kindIds)).readonly().optional(),
});

export const originSchema = z.strictObject({
  how: z.string(),
  parent: sha256.nullable(),
  original_name: z.string().describe('untrusted'),
  at: z.string(),
});

export const labFindingSchema = z.strictObject({
  rule: z.string(),
  title: z.string(),
  severity: z.enum(severities),
  evidence_type: z.enum(evidenceTypes),
  evidence: z.array(z.strictObject({ where: z.string(), text: z.string().describe('untrusted') })),
  benign: z.string(),
  attack: z.array(z.string()),
  mbc: z.array(z.string()),
  source: z.string().describe('the analyser or tool that says so'),
  inside: z.string().nullable().describe('the inner file it was seen in; untrusted'),
});
export type ReportFinding = z.infer<typeof labFindingSchema>;

export const analyserStatuses = ['done', 'partial', 'timed-out', 'failed'] as const;
const analyserSchema = z.strictObject({
  id: z.string(),
  version: count,
  status: z.enum(analyserStatuses),
  elapsed_ms: milliseconds,
  facts: z.record(z.string(), z.json()),
  notes: z.array(z.string()),
});

export const toolStatuses = [
  'clean',
  'findings',
  'not-applicable',
  'failed',
  'partial',
  'not-installed',
  'timed-out',
  'cancelled',
] as const;
export const toolRunSchema = z.strictObject({
  id: z.string(),
  command: z.string(),
  program: z.string().describe('size and date of the program, which tell its versions apart'),
  status: z.enum(toolStatuses),
  meaning: z.string(),
  exit_code: z.number().int().nullable(),
  elapsed_ms: milliseconds,
  finding_count: count,
  output: z.string().describe('untrusted; the beginning where it is long'),
  output_bytes: count,
  saved_to: z.string().nullable().describe('where all of it is'),
  facts: z.record(z.string(), z.json()),
  notes: z.array(z.string()),
});
export type ToolRun = z.infer<typeof toolRunSchema>;

export const innerFileSchema = z.strictObject({
  name: z.string().describe('untrusted'),
  how: z.string(),
  inside: z.string().nullable(),
  sha256,
  size_bytes: count,
  kind: kindSchema,
  saved_to: z.string().nullable(),
  finding_count: count,
});
export type InnerFile = z.infer<typeof innerFileSchema>;

export const indicatorSchema = z.strictObject({
  type: z.string(),
  value: z.string().describe('untrusted'),
  confidence: z.number().min(0).max(1),
  count,
  sources: z.array(z.string()),
  noise: z.string().nullable().describe('why it is probably nothing'),
});

export const timelineEntrySchema = z.strictObject({
  at_ms: milliseconds,
  kind: z.string(),
  process: z.string().describe('untrusted'),
  text: z.string().describe('untrusted'),
});

export const detonationSchema = z.strictObject({
  status: z.enum(['done', 'not-applicable', 'failed']),
  because: z.string(),
  backend: z.string().nullable(),
  run: z.string().nullable().describe('id of the run whose events hotcell events shows'),
  command: z.array(z.string()),
  exit_code: z.number().int().nullable(),
  elapsed_ms: milliseconds,
  is_complete: z.boolean().describe('whether the telemetry saw everything'),
  gaps: z.array(z.string()),
  timeline: z.array(timelineEntrySchema),
  event_counts: z.record(z.string(), count),
  stdout: z.string().describe('untrusted'),
  stderr: z.string().describe('untrusted'),
});
export type Detonation = z.infer<typeof detonationSchema>;

const textSchema = z.strictObject({
  source: z.string().describe('the analyser that read it'),
  label: z.string().describe('untrusted'),
  text: z.string().describe('untrusted; the beginning where it is long'),
  characters: count.describe('of all of it'),
});

export const labReportSchema = z.strictObject({
  format: z.literal('hotcell-lab-report/1'),
  file: z.strictObject({
    name: z.string().describe('untrusted'),
    path: z.string(),
    place: z.string(),
    size_bytes: count,
    sha256,
    sha1: z.string(),
    md5: z.string(),
    kind: kindSchema,
    origins: z.array(originSchema),
  }),
  depth: z.enum(depths),
  started_at: z.string(),
  elapsed_ms: milliseconds,
  is_from_cache: z.boolean(),
  confinement: z.string().describe('where external tools ran'),
  evidence: z.strictObject({ sha256_before: sha256, sha256_after: sha256, is_unchanged: z.boolean() }),
  summary: z.array(z.string()),
  action_required: z.array(z.strictObject({ priority: count, issue: z.string(), remediation: z.string() })),
  findings: z.array(labFindingSchema),
  indicators: z.array(indicatorSchema),
  indicator_counts: z.record(z.string(), count),
  indicator_noise_count: count,
  inner_files: z.array(innerFileSchema),
  analysers: z.array(analyserSchema),
  tools: z.array(toolRunSchema),
  not_run: z.array(z.strictObject({ id: z.string(), because: z.string(), what_to_do: z.string() })),
  next_steps: z.array(z.string()),
  picture: z.strictObject({
    entropy: z.array(z.number().min(0).max(8)).describe('of equal parts of the file, in order'),
    head: z.string().describe('the first 256 bytes in hexadecimal'),
  }),
  texts: z.array(textSchema).optional().describe('macros, scripts and decoded layers, for reading'),
  detonation: detonationSchema.nullable(),
  mode: z.enum(['full', 'summary']),
});
export type LabReport = z.infer<typeof labReportSchema>;

export function labReportJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(labReportSchema, { target: 'draft-2020-12' }),
    title: 'Hotcell lab report',
    description:
      'What the lab says about one file: what it is, what was seen and how that is known. It holds no verdict.',
  };
}
