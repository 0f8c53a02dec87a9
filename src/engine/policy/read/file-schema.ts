import { z } from 'zod';
import {
  accesses,
  environmentRuleSchema,
  fileRuleSchema,
  limitsSchema,
  networkModes,
  networkRuleSchema,
  policySchema,
  syscallRuleSchema,
  tiers,
  toolRuleSchema,
} from '../../../base/policy-schema.ts';

/** What may stand in a policy file, short forms included. For editors; the words for people come from parsePolicy. */

const listedFile = z.union([fileRuleSchema.shape.path, fileRuleSchema.omit({ access: true })]);
const files = z.union([
  z.array(fileRuleSchema),
  z.strictObject(Object.fromEntries(accesses.map((access) => [access, z.array(listedFile).optional()]))),
]);

const endpoint = z
  .string()
  .regex(/^(\*|(\[[0-9A-Fa-f:.]+\]|[^:[\]]+):(\*|\d{1,5}))$/)
  .describe('host:port, .suffix:port, host:*, *:port, [v6]:port or *');

const network = z.strictObject({
  mode: z.enum(networkModes),
  rules: z.array(z.union([endpoint, networkRuleSchema])).optional(),
});

const shortName = { environment: environmentRuleSchema.shape.name, syscall: syscallRuleSchema.shape.name };

const sections = {
  files,
  environment: z.array(z.union([shortName.environment, environmentRuleSchema])),
  network,
  limits: limitsSchema,
  syscalls: z.strictObject({ deny: z.array(z.union([shortName.syscall, syscallRuleSchema])) }),
};

const head = {
  $schema: z.string().optional(),
  version: policySchema.shape.version.optional(),
  name: policySchema.shape.name.optional(),
  tier: z.enum(tiers).optional(),
  tools: z.array(toolRuleSchema).optional(),
};

export const policyFileSchema = z.union([
  z.strictObject({
    ...head,
    extends: z.enum(tiers).describe('starts from this preset: limits are merged, lists appended, network replaced'),
    ...z.strictObject(sections).partial().shape,
    limits: limitsSchema.partial().optional(),
  }),
  z.strictObject({ ...head, ...sections }),
]);

/** JSON Schema of a policy file. */
export function policyJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(policyFileSchema, { io: 'input', target: 'draft-2020-12' });
  return {
    ...schema,
    title: 'Hotcell policy',
    description: 'What a target may read, write, execute, connect to, and how much it may use.',
  };
}
