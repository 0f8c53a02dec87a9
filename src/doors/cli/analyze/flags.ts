import { z } from 'zod';

/** What the command lines of `hotcell analyze` and `hotcell replay` say, as they say it. */

const texts = z.array(z.string()).default([]);
const text = z.string().optional();
const isSet = z.boolean().default(false);

/** How a target is run; the same for a first run and for one that does it again. */
export const runFlagsSchema = z.object({
  patience: text,
  env: texts,
  arg: texts,
  prop: texts,
  header: texts,
  folder: text,
  offline: isSet,
  quiet: isSet,
  json: isSet,
});
export type RunFlags = z.infer<typeof runFlagsSchema>;

export const analyzeFlagsSchema = runFlagsSchema.extend({
  budget: text,
  jobs: text,
  format: text,
  output: texts,
  failOn: text,
  baseline: text,
  offlineOk: isSet,
  details: isSet,
  network: z.boolean().default(true),
  seed: text,
  list: isSet,
  llm: text,
  llmModel: text,
  llmMostCalls: text,
  llmMostTokens: text,
  serverUrl: text,
  anthropicKey: text,
  sourceType: text,
  ref: text,
});
export type AnalyzeFlags = z.infer<typeof analyzeFlagsSchema>;
