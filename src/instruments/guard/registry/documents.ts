import { z } from 'zod';
import { networkRuleSchema, policySchema, tiers } from '../../../base/policy-schema.ts';
import { egressModes } from '../../../engine/net/egress/rules-in-force.ts';

/** What the registry keeps in the store. */

const time = z.iso.datetime();
const text = z.string().max(4000);

export const isolationProfileSchema = z.strictObject({
  fsReadOnly: z.array(text).max(256).optional(),
  fsWritable: z.array(text).max(256).optional(),
  cpuMs: z.number().int().min(1).optional(),
  memMB: z.number().int().min(1).optional(),
  pidMax: z.number().int().min(1).optional(),
  egressAllowlist: z.array(text).max(256).optional(),
});

const subprocessSchema = z.strictObject({
  serverId: text,
  binary: text,
  args: z.array(text).max(256),
  trustTier: z.enum(tiers),
  isolationProfile: isolationProfileSchema,
  policy: policySchema,
  policyFingerprint: z.string().length(64),
  profileFingerprint: z.string().length(32),
  registeredAt: time,
});
export type SubprocessDocument = z.output<typeof subprocessSchema>;

export const subprocesses = { name: 'guard-subprocesses', schema: subprocessSchema, mostDocuments: 10_000 } as const;

const egressOrderSchema = z.strictObject({
  /** Counts the orders for one handle, from 1. */
  number: z.number().int().min(1),
  allowlist: z.array(text).max(256),
  rules: z.array(networkRuleSchema).max(256),
  mode: z.enum(egressModes),
  setAt: time,
  modeSetAt: time,
});
export type EgressOrderDocument = z.output<typeof egressOrderSchema>;

export const egressOrders = { name: 'guard-egress', schema: egressOrderSchema, mostDocuments: 10_000 } as const;

const count = z.number().int().min(0);
const attemptsSchema = z.strictObject({ blocked: count, unlisted: count });

/** Of boxes that have ended. */
export const attempts = { name: 'guard-attempts', schema: attemptsSchema, mostDocuments: 10_000 } as const;

const runningSchema = z.strictObject({
  handle: text,
  boxId: text,
  pid: z.number().int().min(1),
  /** Of the process, as the kernel counts it: the number of a process is used again. Null where nobody tells. */
  startTime: z.string().max(40).nullable(),
  startedAt: time,
  attempts: attemptsSchema,
  /** The last order that it has heard of, and what became of it. */
  egress: z.strictObject({ number: count, isApplied: z.boolean(), why: z.string().max(500).nullable() }).nullable(),
});
export type RunningDocument = z.output<typeof runningSchema>;

export const runningGuards = { name: 'guard-running', schema: runningSchema, mostDocuments: 1000 } as const;
