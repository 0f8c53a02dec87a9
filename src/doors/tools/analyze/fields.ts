import { z } from 'zod';
import { evidenceClasses, severities } from '../../../base/finding-schema.ts';
import { kibibyte } from '../../../base/limits.ts';

/** Fields that several tools of this set have in common. */

export const runField = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'expected the name of a run, or latest')
  .max(128)
  .describe('name of a run, as list_runs tells it, or latest');

export const cursorField = z
  .string()
  .regex(/^\d{1,12}$/, 'expected a cursor of an earlier answer')
  .max(12)
  .optional()
  .describe('where to go on: the cursor of the answer before');

export const limitField = (usual: number, most: number) =>
  z.number().int().min(1).max(most).default(usual).describe('at most this many entries');

export const nextCursor = z.string().max(12).nullable().describe('for the next page; null at the end');

export const targetField = z
  .string()
  .min(1)
  .max(8 * kibibyte)
  .describe(
    'folder, archive, npm:name@version, pypi:name==version, git URL, server.json, or the URL of a remote server',
  );

const word = z
  .string()
  .max(8 * kibibyte)
  .refine((text) => !text.includes('\0'), 'text without NUL');

export const commandField = z
  .array(word)
  .max(256)
  .optional()
  .describe('instead of a target: the command that starts the server, word by word');

export const argsField = z.array(word).max(256).default([]).describe('arguments for the server');

export const variablesField = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable')
      .max(200),
    z
      .string()
      .max(32 * kibibyte)
      .refine((text) => !text.includes('\0'), 'text without NUL'),
  )
  .default({})
  .describe('variables for the server; values are not kept');

export const offlineField = z.boolean().default(false).describe('fetch nothing: only what is on this machine');

export const findingField = z
  .string()
  .regex(/^[0-9a-f]{4,16}$/, 'expected the id of a finding, or 4 or more characters of its beginning')
  .max(16)
  .describe('id of a finding, or enough of its beginning');

export const jobField = z
  .string()
  .regex(/^job-[0-9a-f]{16}$/, 'expected the id of a job, such as job-0123456789abcdef')
  .max(20)
  .describe('id of a job, as the tool that started it told');

export const waitField = z
  .number()
  .min(0)
  .max(3600)
  .default(0)
  .describe('wait up to this many seconds for the end; 0 returns at once');

/** One row of a report, with what came from the target as `{untrusted}`. */
export const entrySchema = z.record(z.string().max(2100), z.unknown());

export const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const countsSchema = z.strictObject(
  Object.fromEntries(severities.map((severity) => [severity, count])) as Record<
    (typeof severities)[number],
    typeof count
  >,
);

export const findingLineSchema = z.strictObject({
  id: z.string().max(16),
  severity: z.enum(severities),
  evidence_class: z.enum(evidenceClasses),
  rule: z.string().max(96),
  title: z.string().max(3000),
});

export const jobSchema = z.strictObject({
  id: z.string().max(64),
  title: z.string().max(9000),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  started_at: z.string().max(32),
  ended_at: z.string().max(32).optional(),
  phase: z.string().max(256),
  share: z.number().min(0).max(1).optional(),
  error: z.string().max(9000).optional(),
});
