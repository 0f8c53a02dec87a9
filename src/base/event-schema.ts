import { z } from 'zod';

/**
 * An event: one observed fact. Append-only, one JSON object per line, the same from every sensor.
 * Whatever came from a target is kept as bytes: text where it is valid UTF-8, base64 otherwise, capped and marked.
 */

export const phases = ['install', 'start', 'handshake', 'list', 'use', 'attack', 'idle', 'stop'] as const;
export type Phase = (typeof phases)[number];

export const eventKinds = [
  'fork',
  'exec',
  'exit',
  'open',
  'unlink',
  'rename',
  'link',
  'chmod',
  'mkdir',
  'connect',
  'bind',
  'listen',
  'send-to',
  'dns-query',
  'dns-answer',
  'http-request',
  'http-response',
  'tls-hello',
  'raw-bytes',
  'bait-read',
  'leak',
  'connection',
  'ptrace',
  'memfd',
  'set-user',
  'kernel',
  'limit-hit',
  'denied',
  'disk-change',
  'message',
  'heartbeat',
] as const;
export type EventKind = (typeof eventKinds)[number];

const pid = z.number().int().min(0).max(4_194_304);

/** Bytes of a target on their way out. */
export const untrustedSchema = z.union([
  z.strictObject({ text: z.string(), droppedBytes: z.number().int().min(1).exactOptional() }),
  z.strictObject({ base64: z.base64(), droppedBytes: z.number().int().min(1).exactOptional() }),
]);
export type UntrustedJson = z.infer<typeof untrustedSchema>;

export const processSchema = z.strictObject({
  pid: pid.describe('as the sensor sees it: inside the box for gVisor, on the host elsewhere'),
  parent: pid,
  name: untrustedSchema,
  argv: z.array(untrustedSchema).max(4096).optional(),
});

export const eventSchema = z.strictObject({
  seq: z.number().int().min(0).describe('position in the log, without a gap'),
  at: z.strictObject({
    monotonicNs: z
      .string()
      .regex(/^\d{1,20}$/, 'nanoseconds as decimal digits')
      .describe('for order and distance'),
    wall: z.iso.datetime().describe('for people'),
  }),
  run: z.string().min(1).max(64),
  phase: z.enum(phases),
  call: z.string().max(256).optional().describe('id of the call that was in flight, when there was one'),
  source: z.string().min(1).max(64).describe('which sensor saw it'),
  process: processSchema.optional(),
  kind: z.enum(eventKinds),
  fields: z.record(z.string().max(64), z.json()),
  outcome: z.enum(['ok', 'denied', 'failed', 'unknown']).optional(),
  truncated: z.array(z.string().max(64)).max(64).optional().describe('fields that a cap has cut'),
});
export type Event = z.infer<typeof eventSchema>;
export type EventProcess = z.infer<typeof processSchema>;

/** The present, on both clocks of an event. */
export function momentNow(): Event['at'] {
  return { monotonicNs: String(process.hrtime.bigint()), wall: new Date().toISOString() };
}

/** What a sensor hands in; the log adds position, time and run. */
export type Observation = Omit<Event, 'seq' | 'run' | 'at'> & { readonly at?: Event['at'] };

/** Whether a sensor saw everything. "No events" from one that did not is unknown, never "nothing happened". */
export const completenessSchema = z.strictObject({
  source: z.string().min(1).max(64),
  attachedBeforeExec: z.boolean(),
  received: z.number().int().min(0),
  dropped: z.number().int().min(0),
  merged: z.number().int().min(0),
  truncated: z.number().int().min(0),
  missingPoints: z.array(z.string()),
  heartbeats: z.strictObject({ expected: z.number().int().min(0), seen: z.number().int().min(0) }),
  diedAt: z.iso.datetime().optional(),
});
export type Completeness = z.infer<typeof completenessSchema>;

export function isComplete(completeness: Completeness): boolean {
  const { attachedBeforeExec, dropped, missingPoints, heartbeats, diedAt } = completeness;
  return (
    attachedBeforeExec &&
    dropped === 0 &&
    missingPoints.length === 0 &&
    heartbeats.seen >= heartbeats.expected &&
    diedAt === undefined
  );
}

/** For programs in other languages that read `events.ndjson`: the schema of one line. */
export function eventJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(eventSchema, { target: 'draft-2020-12' }),
    title: 'Hotcell event',
    description: 'One line of events.ndjson: one fact that a sensor observed.',
  };
}
