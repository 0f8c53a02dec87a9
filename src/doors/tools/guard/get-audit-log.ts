import { z } from 'zod';
import { mebibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { count, digits, handleField, moment, sampleHandle } from './fields.ts';

const name = z.string().max(16_384).nullable();

export const getAuditLog = defineTool({
  name: 'get_audit_log',
  title: 'What the ledger says',
  description:
    'Entries of the ledger, the newest first, over all of its segments: what ran, what was allowed and refused, under which policy and by which rule; of one registered subprocess, or of everything. Also warns of subprocesses whose egress has been only looked at for too long. Entries are read and not verified: verify_audit_log does that.',
  toolset: 'guard',
  input: z.strictObject({
    subprocessHandle: handleField.optional().describe('only what is about this one'),
    since: z
      .string()
      .max(40)
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/, 'a time such as 2026-01-01T00:00:00Z')
      .refine((time) => !Number.isNaN(Date.parse(time)), 'a time that there is')
      .optional()
      .describe('only what was written at or after this time, ISO 8601 with Z'),
    limit: z.number().int().min(1).max(10_000).default(100).describe('at most so many'),
    staleEgressModeThresholdDays: z
      .number()
      .min(0)
      .max(365)
      .default(7)
      .describe('warn when the mode audit-only is older than so many days'),
  }),
  output: z.strictObject({
    entries: z
      .array(
        z.strictObject({
          sequence: count,
          at: moment,
          instrument: z.string().max(32),
          action: z.string().max(1024),
          verdict: z.string().max(32),
          session: z.string().max(16_384),
          server: name,
          policy: name,
          rule: name,
          details: z.string().max(mebibyte).describe('JSON; what cannot be seen is spelled out'),
          leaf: digits(64).describe('hash of the entry, as proofs name it'),
        }),
      )
      .max(10_000),
    staleEgressModeWarnings: z
      .array(
        z.strictObject({
          subprocessHandle: z.string().max(40),
          serverId: z.string().max(4000),
          egressMode: z.enum(['default-deny', 'audit-only']),
          egressModeSetAt: moment,
          ageDays: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
        }),
      )
      .max(10_000),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 5 * minuteMs, outputBytes: mebibyte },
  examples: [
    { input: {}, says: 'the last hundred entries' },
    { input: { subprocessHandle: sampleHandle, since: '2026-01-01T00:00:00Z', limit: 20 }, says: 'of one subprocess' },
  ],
  async handle(input, context) {
    const { readAuditLog } = await import('./read-audit-log.ts');
    return readAuditLog(input, context);
  },
});
