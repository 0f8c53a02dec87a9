import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';
import { jsonTypes } from '../arguments/schema-view.ts';

/** The files of payload classes. Texts have holes that the world and the trial fill. */

const text = z.string().min(1);

const oracleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exec-marker'), program: text, argument: text.exactOptional() }),
  z.strictObject({ kind: z.literal('file-marker'), path: text.exactOptional() }),
  z.strictObject({ kind: z.literal('canary-in-result'), secret: text }),
  z.strictObject({
    kind: z.literal('request-to'),
    host: text.exactOptional(),
    address: z.literal('loopback').exactOptional(),
    port: text.exactOptional(),
    path: text.exactOptional(),
    header: text.exactOptional(),
    dns: z.boolean().exactOptional(),
  }),
  z.strictObject({ kind: z.literal('argv-option'), option: text, programs: z.array(text).min(1) }),
  z.strictObject({ kind: z.literal('open-outside'), path: text, attempt: z.boolean().exactOptional() }),
  z.strictObject({ kind: z.literal('sql-altered') }),
  z.strictObject({ kind: z.literal('computed') }),
  z.strictObject({ kind: z.literal('timing'), ratio: z.number().min(5), leastMs: z.number().min(500) }),
  z.strictObject({ kind: z.literal('echo-never') }),
]);
export type OracleSeed = z.infer<typeof oracleSchema>;

/** No bomb is larger than this many characters. */
const longestRepeat = 262_144;

const repeatSchema = z
  .strictObject({
    before: z.string().max(64),
    text: z.string().min(1).max(16),
    count: z.number().int().min(1).max(longestRepeat),
    after: z.string().max(64),
  })
  .refine(({ text: unit, count }) => unit.length * count <= longestRepeat, 'longer than a bomb may be')
  // Made once: the same text serves every position.
  .transform(({ before, text: unit, count, after }) => before + unit.repeat(count) + after);

const payloadSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
    value: z.unknown().exactOptional(),
    repeat: repeatSchema.exactOptional(),
    baseline: repeatSchema.exactOptional(),
    followUp: text.exactOptional(),
    encode: z.enum(['base64']).exactOptional(),
    /** How the name of the marker file is made: `product` of two numbers, or two halves `joined`. */
    marker: z.enum(['product', 'joined']).exactOptional(),
    oracles: z.array(oracleSchema).min(1),
    /** Names of the world without which the payload means nothing. */
    needs: z.array(text).exactOptional(),
    onlyMeanings: z.array(text).exactOptional(),
    notMeanings: z.array(text).exactOptional(),
    /** Types of positions; text where nothing is said. */
    types: z.array(z.enum(jsonTypes)).exactOptional(),
    /** A way that is only wrong for a tool that keeps to a root. */
    absolute: z.boolean().exactOptional(),
    /** Id of a payload that does the same openly: where that one works, there is no guard to go around. */
    unlike: z.string().exactOptional(),
    /** As of the class, for this payload alone; where it stands in the file does not count then. */
    likely: z.record(z.string(), z.number().min(0).max(100)).exactOptional(),
    /** It shows what a tool can do, for others to be unlike it, and is no weakness by itself. */
    isAbility: z.boolean().exactOptional(),
    /** Only means something where the tool promised, or was told, to keep to a root. */
    onlyConfined: z.boolean().exactOptional(),
    /** A weakness also where the class is the tool's purpose. */
    neverByDesign: z.boolean().exactOptional(),
  })
  .refine((payload) => (payload.value === undefined) !== (payload.repeat === undefined), 'needs a value or a repeat');
export type PayloadSeed = z.infer<typeof payloadSchema>;

const classSchema = z.strictObject({
  class: text,
  title: text,
  what: text,
  cwe: z.array(z.string().regex(/^CWE-\d+$/)).min(1),
  /** From 0 to 100 by the meaning of the position; `*` for all others. */
  likely: z.record(z.string(), z.number().min(0).max(100)),
  /** Words in what the tool says of itself, as regular expressions, that make the class likelier. */
  words: z.array(text).exactOptional(),
  /** Switches that must be on for a payload to get where it should, by words in their names. */
  flags: z.array(text).exactOptional(),
  /** Meanings for which a hit is the purpose of the tool. */
  byDesign: z.array(text).exactOptional(),
  payloads: z.array(payloadSchema).min(1),
});
export type TrialClass = z.infer<typeof classSchema>;

const listSchema = z.strictObject({ note: z.string(), classes: z.array(z.string().regex(/^[a-z-]+$/)).min(1) });

export function readTrialClasses(): readonly TrialClass[] {
  const { classes } = readRules('trials/classes.json', listSchema);
  return classes.map((name) => readRules(`trials/${name}.json`, classSchema));
}
