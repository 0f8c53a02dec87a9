import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { describeError, HostError } from '../../base/errors.ts';

/** Tables of behaviour, in rules/behaviour: what is ordinary, what is not, and for whom. */

const folder = new URL('../../../rules/behaviour/', import.meta.url);

function readTable<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
  } catch (cause) {
    throw new HostError(`cannot read rules/behaviour/${name}: ${describeError(cause)}`, { cause });
  }
}

const words = z.array(z.string().min(1));
const expression = z
  .string()
  .min(1)
  .transform((source) => new RegExp(source));
const anyCase = z
  .string()
  .min(1)
  .transform((source) => new RegExp(source, 'i'));
const note = z.string();
const technique = z.string().regex(/^T\d{4}(?:\.\d{3})?$/);

const credentialsSchema = z.strictObject({
  note,
  readers: z.array(
    z.strictObject({ programs: words, script: expression.exactOptional(), decoys: z.array(expression) }),
  ),
  libraries: z.array(z.strictObject({ loaded: expression, decoys: z.array(expression) })),
  homes: z.array(z.strictObject({ vendors: words, hosts: words })),
  variables: words,
});
export type Credentials = z.output<typeof credentialsSchema>;
export const readCredentials = (): Credentials => readTable('credentials.json', credentialsSchema);

const hostsSchema = z.strictObject({ note, platform: words, telemetry: words, downloads: words });
export type KnownHosts = z.output<typeof hostsSchema>;
export const readKnownHosts = (): KnownHosts => readTable('hosts.json', hostsSchema);

const persistenceSchema = z.strictObject({
  note,
  places: z.array(
    z.strictObject({
      id: z.string(),
      what: z.string(),
      pattern: expression,
      unless: expression.exactOptional(),
      programs: words.exactOptional(),
      script: expression.exactOptional(),
      attack: technique,
    }),
  ),
  commands: z.array(z.strictObject({ id: z.string(), what: z.string(), pattern: expression, attack: technique })),
});
export type PersistenceTable = z.output<typeof persistenceSchema>;
export const readPersistence = (): PersistenceTable => readTable('persistence.json', persistenceSchema);

const placesSchema = z.strictObject({
  note,
  places: z.array(
    z.strictObject({
      id: z.string(),
      what: z.string(),
      pattern: expression,
      severity: z.enum(['low', 'medium']),
      attempt: z.boolean(),
      programs: z.array(z.string()),
      isWrite: z.literal(true).exactOptional(),
      isOtherHome: z.literal(true).exactOptional(),
    }),
  ),
});
export type PlaceTable = z.output<typeof placesSchema>;
export const readPlaces = (): PlaceTable => readTable('places.json', placesSchema);

const programsSchema = z.strictObject({
  note,
  shells: words,
  interpreters: words,
  reverseShell: z.array(z.strictObject({ what: z.string(), pattern: expression })),
  fetchAndRun: expression,
  downloaders: words,
  mining: z.strictObject({ commands: anyCase, hosts: words, messages: anyCase }),
  ownWork: expression,
  kernelThreads: expression,
  daemons: words,
  tracers: words,
  codeTools: anyCase,
});
export type ProgramTable = z.output<typeof programsSchema>;
export const readPrograms = (): ProgramTable => readTable('programs.json', programsSchema);

/** Nearly nothing matches anything: one look is enough to know. */
export function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'));
}
