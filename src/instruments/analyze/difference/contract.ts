import { z } from 'zod';
import { listingSchema } from '../../../base/analysis-schema.ts';
import { untrustedSchema } from '../../../base/event-schema.ts';
import { axes, evidenceClasses, severities } from '../../../base/finding-schema.ts';
import { verdictSchema } from '../../../base/verdict-schema.ts';

/** What two runs say differently: what `hotcell diff --json` prints. Lists are in a canonical order, cut, and say so. */

export const differenceVersion = 1;

const most = 500;

export const sideSchema = z.strictObject({
  /** The target in one line, such as `name 1.2.0 (npm:name)`. */
  title: z.string().max(4700),
  name: z.string().max(4096),
  version: z.string().max(256).nullable(),
  startedAt: z.string().max(64),
  /** The target was run, not only read. */
  isAnalysed: z.boolean(),
  /** False: what this run did not see may still be there. */
  isComplete: z.boolean(),
});

const fieldSchema = z.enum(['description', 'annotations', 'observed', 'contradicted']);

export const toolDifferenceSchema = z.strictObject({
  name: untrustedSchema,
  fields: z.array(fieldSchema).min(1),
  /** Lines of all fields that differ, the name of the field before its lines. */
  difference: listingSchema.shape.difference,
});

export const hostEntrySchema = z.strictObject({
  host: untrustedSchema,
  ports: z.array(z.number().int()).max(32),
  isDeclared: z.boolean(),
  leaks: z.number().int().min(0),
});

export const fileEntrySchema = z.strictObject({
  access: z.enum(['read', 'write', 'remove']),
  is: z.enum(['decoy', 'own', 'system', 'other']),
  /** Parts that vary from run to run stand as `*`; null for files of the target and of the system, which count as one. */
  path: untrustedSchema.nullable(),
});

export const programEntrySchema = z.strictObject({ program: untrustedSchema });

function newAndGone<T extends z.ZodType>(entry: T) {
  return z.strictObject({ new: z.array(entry).max(most), gone: z.array(entry).max(most) });
}

export const permissionSchema = z.strictObject({
  subject: z.enum(['files', 'environment', 'network', 'limits', 'syscalls', 'tools']),
  what: z.string().max(4608),
});

export const findingEntrySchema = z.strictObject({
  id: z.string().max(16),
  rule: z.string().max(96),
  title: z.string().max(256),
  severity: z.enum(severities),
  axis: z.enum(axes),
  evidenceClass: z.enum(evidenceClasses),
});

const grade = z.strictObject({ severity: z.enum(severities), evidenceClass: z.enum(evidenceClasses) });

const band = verdictSchema.shape.band;
const risk = verdictSchema.shape.risk;
const label = z.string().max(64);

export const runDifferenceSchema = z.strictObject({
  format: z.literal('hotcell-difference'),
  version: z.literal(differenceVersion),
  before: sideSchema,
  after: sideSchema,
  /** Nothing below differs; the version of the target may. */
  isSame: z.boolean(),
  isWorse: z.boolean(),
  /** Why it is worse, one line each, the weightiest first. */
  worse: z.array(z.string().max(512)).max(64),
  /** The second run proved to need something that the first did not. */
  needsMore: z.boolean(),
  /** Null where one side was not run. */
  verdict: z
    .strictObject({
      isChanged: z.boolean(),
      band: z.strictObject({ before: band, after: band }),
      risk: z.strictObject({ before: risk, after: risk }),
      /** Only those that changed. */
      axes: z.array(z.strictObject({ axis: z.enum(axes), before: label, after: label })).max(axes.length),
    })
    .nullable(),
  tools: z.strictObject({
    added: z.array(z.strictObject({ name: untrustedSchema })).max(most),
    removed: z.array(z.strictObject({ name: untrustedSchema })).max(most),
    changed: z.array(toolDifferenceSchema).max(most),
  }),
  behaviour: z.strictObject({
    hosts: newAndGone(hostEntrySchema),
    files: newAndGone(fileEntrySchema),
    programs: newAndGone(programEntrySchema),
  }),
  permissions: newAndGone(permissionSchema),
  findings: z.strictObject({
    new: z.array(findingEntrySchema).max(most),
    /** Not found again by a run that looked. */
    fixed: z.array(findingEntrySchema).max(most),
    /** Not found again by a run that is not complete: nobody knows. */
    unknown: z.array(findingEntrySchema).max(most),
    /** The same claim, with another severity or another class of evidence; the entry is that of the second run. */
    changed: z.array(z.strictObject({ finding: findingEntrySchema, before: grade })).max(most),
    same: z.number().int().min(0),
  }),
  /** What makes the comparison weaker than it looks, in words. */
  notes: z.array(z.string().max(512)).max(32),
  /** How many of each list were left out of it. */
  leftOut: z.record(z.string().max(64), z.number().int().min(1)),
});
export type RunDifference = z.infer<typeof runDifferenceSchema>;
export type RunSide = z.infer<typeof sideSchema>;
export type FindingEntry = z.infer<typeof findingEntrySchema>;

export function differenceJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(runDifferenceSchema, { target: 'draft-2020-12' }),
    title: 'Hotcell difference',
    description: 'What two runs of Hotcell say differently about a target.',
  };
}
