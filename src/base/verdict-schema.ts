import { z } from 'zod';
import { axes } from './finding-schema.ts';

/** A verdict: three axes that are never mixed, and how much of the target was looked at. */

export const coverageSchema = z.strictObject({
  tools: z.strictObject({ exercised: z.number().int().min(0), all: z.number().int().min(0) }),
  parameters: z.strictObject({ tried: z.number().int().min(0), all: z.number().int().min(0) }),
  phases: z.array(z.string().max(32)),
  /** What was not done, in words. */
  missing: z.array(z.string().max(1024)),
});
export type Coverage = z.infer<typeof coverageSchema>;

const axisSchema = z.strictObject({
  label: z.string().max(64),
  /** Ids of the findings that decided it. */
  because: z.array(z.string()),
});

export const verdictSchema = z.strictObject({
  rubric: z.string().max(64),
  axes: z.strictObject(
    Object.fromEntries(axes.map((axis) => [axis, axisSchema])) as Record<(typeof axes)[number], typeof axisSchema>,
  ),
  /** 0 to 100; null when too little is known to say. */
  risk: z.number().int().min(0).max(100).nullable(),
  band: z.enum(['fails', 'warns', 'passes', 'unknown']),
  coverage: coverageSchema,
  isComplete: z.boolean(),
  recommendations: z.array(z.strictObject({ text: z.string().max(2048), answers: z.array(z.string()) })),
});
export type Verdict = z.infer<typeof verdictSchema>;
