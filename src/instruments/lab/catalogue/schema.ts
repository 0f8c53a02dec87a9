import { z } from 'zod';
import { depths } from '../contract.ts';
import { kindIds } from '../kinds.ts';

/** The form of `rules/lab/tools/*.json`: one program that others wrote, and everything needed to run and read it. */

export const exitStatuses = ['clean', 'findings', 'not-applicable', 'failed', 'partial'] as const;

export const exitMeaningSchema = z.strictObject({ meaning: z.string().min(1).max(300), status: z.enum(exitStatuses) });

export const outputFormats = ['text', 'json', 'table', 'fields'] as const;

export const kindsSchema = z.union([z.literal('any'), z.array(z.enum(kindIds)).min(1)]);

export const packagesSchema = z.strictObject({
  debian: z.string().exactOptional(),
  pypi: z.string().exactOptional(),
  npm: z.string().exactOptional(),
  /** All of them are part of REMnux. */
  remnux: z.literal(true),
});

export const toolSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i),
  title: z.string().min(5).max(160),
  command: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/),
  /** What follows the command: `{file}` is the sample, `{output}` a folder of its own for this run. No shell reads it. */
  argv: z.array(z.string().min(1)),
  depth: z.enum(depths),
  /** False: it needs words that only the analyst knows, so it is suggested and not run. */
  isAutomatic: z.boolean(),
  kinds: kindsSchema,
  timeoutSeconds: z.number().int().min(1).max(600),
  outputFormat: z.enum(outputFormats),
  exitCodes: z.record(z.string().regex(/^\d{1,3}$/), exitMeaningSchema),
  parser: z.string().nullable(),
  /** It writes files: it is run on a private copy, with a folder for what it makes. */
  writesFiles: z.boolean(),
  /** It interprets or starts code of the sample: never outside a box or a machine that is made for it. */
  runsSample: z.boolean(),
  packages: packagesSchema,
  /** What of ours covers it, or what to install. */
  whenMissing: z.string().min(5).max(300),
  tags: z.array(z.string()),
  /** What a reader of its output should know. */
  advisory: z.string().max(400).exactOptional(),
  /** Arguments that print its help; empty when the command alone does. */
  helpArguments: z.array(z.string()),
  /** Arguments that print its version, where they are known. */
  versionArguments: z.array(z.string()).exactOptional(),
  /** How much of its output is shown before it is shortened. Parsers get all of it. */
  outputBudgetKiB: z.number().int().min(1).max(100),
  memoryMiB: z.number().int().min(8).max(8192),
});

export const toolFileSchema = z.strictObject({
  group: z.string(),
  tools: z.array(toolSchema).min(1),
});

export const indexSchema = z.strictObject({
  groups: z
    .array(
      z.strictObject({
        title: z.string(),
        tools: z.array(z.strictObject({ name: z.string(), description: z.string().min(8).max(160) })).min(1),
      }),
    )
    .min(1),
  /** Commands of the catalogue that belong to a name of the index. */
  aliases: z.record(z.string(), z.array(z.string())),
});

export type ExitStatus = (typeof exitStatuses)[number];
export type ToolEntry = z.output<typeof toolSchema>;
export type IndexGroup = z.output<typeof indexSchema>['groups'][number];
