import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { accesses } from '../../../base/policy-schema.ts';
import { readRules } from '../../../base/rules-folder.ts';
import { findNearest } from '../../../engine/policy/nearest.ts';

/** The list of known attacks, as it stands in rules/attacks.json. */

const path = z.string().min(1).max(1024);
const callSchema = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.json()) });
const answerSchema = z.strictObject({
  host: z.string(),
  path: z.string().exactOptional(),
  status: z.number().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  text: z.string(),
  repeat: z.strictObject({ count: z.number(), end: z.string() }).exactOptional(),
  isChunked: z.boolean().exactOptional(),
});

export const attackSchema = z.strictObject({
  id: z.string().regex(/^(?:CVE-\d{4}-\d{4,}|GHSA(?:-[a-z0-9]{4}){3})$/),
  also: z.array(z.string()).default([]),
  title: z.string().max(200),
  class: z.string(),
  package: z.strictObject({ ecosystem: z.enum(['npm', 'pypi']), name: z.string() }),
  vulnerable: z.string(),
  fixed: z.string().nullable(),
  /** Python: packages that have moved on since, held where these releases need them. */
  with: z.array(z.string()).default([]),
  args: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  folders: z.array(path).default([]),
  files: z.array(z.strictObject({ path, text: z.string(), isProgram: z.boolean().default(false) })).default([]),
  links: z.array(z.strictObject({ path, to: path })).default([]),
  /** Commands of this machine that lay out the world, run in a box. */
  setup: z.array(z.array(z.string()).min(1)).default([]),
  /** What a user would give to such a server, for policies that do not know of this world. */
  grants: z.array(z.strictObject({ path, access: z.enum(accesses) })).default([]),
  /** What an internet that is not there answers; without it the server has no network. */
  internet: z.array(answerSchema).default([]),
  honest: z.array(callSchema.extend({ expects: z.string().min(1) })).min(1),
  proof: callSchema,
  succeeds: z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal('answer'), text: z.string().min(1) }),
    z.strictObject({ is: z.literal('marker'), path }),
    z.strictObject({ is: z.literal('length'), characters: z.number().int().min(1) }),
  ]),
  /** What a policy has to allow for the attack to succeed. */
  reaches: z.discriminatedUnion('is', [
    z.strictObject({ is: z.literal('file'), access: z.enum(accesses), path }),
    z.strictObject({ is: z.literal('host'), host: z.string(), port: z.number().int() }),
  ]),
});
export type Attack = z.infer<typeof attackSchema>;
export type Reaches = Attack['reaches'];

export const attacks: readonly Attack[] = readRules(
  'attacks.json',
  z.strictObject({ note: z.string(), attacks: z.array(attackSchema) }),
).attacks;

/** By any of its ids, in any case. */
export function findAttack(id: string): Attack {
  const wanted = id.toLowerCase();
  const found = attacks.find((attack) => [attack.id, ...attack.also].some((each) => each.toLowerCase() === wanted));
  if (found !== undefined) return found;
  const nearest = findNearest(
    id,
    attacks.map((attack) => attack.id),
  );
  throw new UsageError(`no attack is called ${JSON.stringify(id.slice(0, 100))}`, {
    hint: nearest === null ? 'hotcell cve list' : `did you mean ${nearest}?`,
  });
}
