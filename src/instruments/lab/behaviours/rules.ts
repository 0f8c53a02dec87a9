import { z } from 'zod';
import { readRules } from '../../../base/rules-folder.ts';

const behaviourSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9_]+$/),
  description: z.string(),
  /** How many of the functions have to be there before the behaviour is possible. */
  minimum: z.number().int().min(1),
  apis: z.array(z.string()).min(1),
  attack: z.array(z.string().regex(/^T\d{4}(?:\.\d{3})?$/)),
  followUp: z.string(),
  benign: z.string(),
});

const fileSchema = z.strictObject({
  windows: z.array(behaviourSchema),
  linux: z.array(behaviourSchema),
  packers: z.array(z.string()),
});

export type Behaviour = z.output<typeof behaviourSchema>;
export type BehaviourRules = z.output<typeof fileSchema>;

export function readBehaviours(): BehaviourRules {
  return readRules('lab/behaviours.json', fileSchema);
}

/** What check_behavior_prerequisites can be asked for by name. */
export function behaviourNames(): readonly string[] {
  const { windows, linux } = readBehaviours();
  return [...windows, ...linux].map(({ id }) => id);
}
