import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';

/** The tables of starting: what names want, and what error texts ask for. */

export const valueKinds = [
  'secret',
  'url',
  'host',
  'folder',
  'file',
  'sqlite',
  'postgres',
  'redis',
  'port',
  'email',
  'id',
  'word',
  'region',
  'example',
  'leave',
] as const;
export type ValueKind = (typeof valueKinds)[number];

export const wishKinds = [
  'variable',
  'option',
  'argument',
  'service',
  'program',
  'port',
  'module',
  'memory',
  'browser',
  'library',
  'version',
] as const;
export type WishKind = (typeof wishKinds)[number];

const pattern = (flags: string) =>
  z
    .string()
    .max(800)
    .transform((text) => new RegExp(text, flags));
const valueRow = z.strictObject({ pattern: pattern('i'), kind: z.enum(valueKinds) });

const valuesSchema = z.strictObject({
  note: z.string(),
  names: z.array(valueRow),
  examples: z.array(valueRow),
  placeholders: pattern('g'),
  values: z.record(z.string(), z.string()),
});

const errorsSchema = z.strictObject({
  note: z.string(),
  patterns: z.array(z.strictObject({ kind: z.enum(wishKinds), pattern: pattern('') })),
  usage: pattern(''),
  subcommands: z.array(z.string()),
  stubs: z.record(z.string(), z.string()),
});

export type ValueRules = z.output<typeof valuesSchema>;
export type ErrorRules = z.output<typeof errorsSchema>;

export interface StartRules {
  readonly values: ValueRules;
  readonly errors: ErrorRules;
}

export function readStartRules(): StartRules {
  return { values: readRules('start/values.json', valuesSchema), errors: readRules('start/errors.json', errorsSchema) };
}
