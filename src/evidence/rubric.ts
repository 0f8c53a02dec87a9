import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { axes, evidenceClasses, severities } from '../base/finding-schema.ts';

/** The rubric is data: how bad a class and a severity are, and what a class is called on each axis. */

const scoredClasses = evidenceClasses.filter((each) => each !== 'U');
const record = <K extends string, V extends z.ZodType>(keys: readonly K[], value: V) =>
  z.strictObject(Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>);

const rubricSchema = z.strictObject({
  version: z.string().max(16),
  note: z.string(),
  fails: z.number(),
  warns: z.number(),
  scores: record(scoredClasses, record(severities, z.number().int().min(0).max(100))),
  labels: record(axes, record([...scoredClasses, 'none'] as const, z.string().max(64))),
  unknown: z.string().max(64),
});
export type Rubric = z.infer<typeof rubricSchema>;

const path = new URL('../../rules/rubric/rubric.json', import.meta.url);

export function readRubric(): Rubric {
  return rubricSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
