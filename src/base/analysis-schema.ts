import { z } from 'zod';
import { completenessSchema, phases, untrustedSchema } from './event-schema.ts';
import { policySchema } from './policy-schema.ts';
import { verdictSchema } from './verdict-schema.ts';

/**
 * What a run saw of one target, small enough to be drawn: the part of a report that goes beyond findings. Times are
 * milliseconds since the run began. Whatever a target chose is kept as bytes of a target; lists are cut, and say so.
 */

const ms = z.number().min(0);
const seq = z.number().int().min(0);

export const phaseSpanSchema = z.strictObject({ phase: z.enum(phases), fromMs: ms, toMs: ms });

/** How the target was started, or why it was not. */
export const startSchema = z.strictObject({
  isStarted: z.boolean(),
  transport: z.enum(['stdio', 'http', 'remote']).nullable(),
  argv: z.array(untrustedSchema).max(256),
  /** Why each part of the command, each variable and each prop is there. */
  because: z.array(z.string().max(1024)).max(64),
  attempts: z.number().int().min(0),
  /** Where it did not start: the end of what it wrote to stderr, and the best guess why. */
  stderrTail: untrustedSchema.exactOptional(),
  guess: z.string().max(1024).exactOptional(),
});

export const toolSchema = z.strictObject({
  name: untrustedSchema,
  description: untrustedSchema.exactOptional(),
  /** Hints that the server gives about the tool, where they are booleans. */
  annotations: z.record(z.string().max(64), z.boolean()),
  honestCalls: z.number().int().min(0),
  answered: z.number().int().min(0),
  trials: z.number().int().min(0),
  /** What its calls did, in words of ours: `reads files`, `writes files`, `starts programs`, `uses the network`. */
  observed: z.array(z.string().max(64)).max(16),
  /** Annotations that what was seen contradicts. */
  contradicted: z.array(z.string().max(64)).max(16),
});

export const callSchema = z.strictObject({
  id: z.string().max(256),
  kind: z.enum(['honest', 'trial', 'other']),
  phase: z.enum(phases),
  tool: untrustedSchema,
  fromMs: ms,
  toMs: ms,
  outcome: z.string().max(32),
});

export const processSpanSchema = z.strictObject({
  pid: z.number().int().min(0),
  parent: z.number().int().min(0).nullable(),
  name: untrustedSchema,
  argv: z.array(untrustedSchema).max(32),
  phase: z.enum(phases),
  call: z.string().max(256).exactOptional(),
  fromMs: ms,
  /** Null while nothing told that it ended. */
  toMs: ms.nullable(),
});

/** One file, however often it was touched in the same way. */
export const fileUseSchema = z.strictObject({
  path: untrustedSchema,
  access: z.enum(['read', 'write', 'remove']),
  /** What it is: bait, of the target itself, of the system, anything else. */
  is: z.enum(['decoy', 'own', 'system', 'other']),
  count: z.number().int().min(1),
  phase: z.enum(phases),
  firstMs: ms,
  event: seq,
});

export const hostUseSchema = z.strictObject({
  /** The name that was asked for, or the address where there was none. */
  host: untrustedSchema,
  ports: z.array(z.number().int().min(0).max(65535)).max(32),
  protocols: z.array(z.string().max(16)).max(16),
  requests: z.number().int().min(0),
  phases: z.array(z.enum(phases)),
  firstMs: ms,
  /** Its documentation, manifest or arguments name it. */
  isDeclared: z.boolean(),
  leaks: z.number().int().min(0),
  events: z.array(seq).max(16),
});

/** One more listing of what the server offers, under other circumstances. */
export const listingSchema = z.strictObject({
  id: z.string().max(64),
  title: z.string().max(256),
  isSame: z.boolean(),
  /** Lines of a difference: what was only before, only now. */
  difference: z.array(z.strictObject({ is: z.enum(['removed', 'added', 'same']), text: untrustedSchema })).max(400),
});

/** One proof as a chain that can be drawn: call, process, event, effect. */
export const proofSchema = z.strictObject({
  finding: z.string().max(64),
  steps: z
    .array(
      z.strictObject({
        kind: z.enum(['target', 'call', 'process', 'event', 'effect']),
        title: z.string().max(256),
        detail: untrustedSchema,
        event: seq.exactOptional(),
      }),
    )
    .max(16),
  /** What `hotcell replay` does again. */
  replay: z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('trial'),
        trial: z.string().max(1024),
        call: z.strictObject({ tool: untrustedSchema, input: untrustedSchema }),
      }),
      z.strictObject({ kind: z.literal('phase'), phase: z.enum(phases), variant: z.string().max(64) }),
    ])
    .exactOptional(),
});

export const refusedSchema = z.strictObject({
  what: z.string().max(4608),
  why: z.string().max(2048),
  seenIn: z.array(z.string().max(200)).max(64),
});

export const analysisSchema = z.strictObject({
  run: z.string().min(1).max(64),
  backend: z.string().max(32),
  verdict: verdictSchema,
  start: startSchema,
  server: z.strictObject({ name: untrustedSchema, version: untrustedSchema, protocol: untrustedSchema }).nullable(),
  phases: z.array(phaseSpanSchema).max(32),
  tools: z.array(toolSchema).max(2000),
  calls: z.array(callSchema).max(4000),
  processes: z.array(processSpanSchema).max(600),
  files: z.array(fileUseSchema).max(1500),
  hosts: z.array(hostUseSchema).max(300),
  listings: z.array(listingSchema).max(32),
  proofs: z.array(proofSchema).max(500),
  /** Least privilege it proved to need; null where it never ran. */
  policy: policySchema.nullable(),
  refused: z.array(refusedSchema).max(500),
  completeness: z.strictObject({ isComplete: z.boolean(), sensors: z.array(completenessSchema).max(32) }),
  /** What a budget, or this machine, had no room for. */
  notTried: z
    .array(z.strictObject({ what: z.string().max(256), reason: z.string().max(256), count: z.number().int().min(1) }))
    .max(300),
  /** How many of each list were left out of it. */
  leftOut: z.record(z.string().max(32), z.number().int().min(1)),
});
export type Analysis = z.infer<typeof analysisSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type AnalysedTool = z.infer<typeof toolSchema>;
export type ListingComparison = z.infer<typeof listingSchema>;
