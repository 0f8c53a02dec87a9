import { z } from 'zod';
import { eventKinds, phases } from '../../../base/event-schema.ts';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { cursorField, entrySchema, limitField, nextCursor, runField } from './fields.ts';

export const queryEvents = defineTool({
  name: 'query_events',
  title: 'What happened in a run',
  description:
    'Returns events of a run in their order. Several values of one filter mean any of them; several filters must all hold. What the server chose stands as {"untrusted": …}.',
  toolset: 'analyze',
  input: z.strictObject({
    run: runField,
    kind: z.array(z.enum(eventKinds)).max(eventKinds.length).default([]).describe('such as exec, connect, bait-read'),
    phase: z.array(z.enum(phases)).max(phases.length).default([]).describe('such as install, start, use'),
    call: z.array(z.string().max(256)).max(64).default([]).describe('ids of calls that were in flight'),
    process: z.array(z.number().int().min(0).max(4_194_304)).max(64).default([]).describe('numbers of processes'),
    host: z.string().min(1).max(255).optional().describe('only what is about a host with this in its name or address'),
    path: z.string().min(1).max(4096).optional().describe('only where a path or a URL has this in it'),
    limit: limitField(50, 500),
    cursor: cursorField,
  }),
  output: z.strictObject({
    run: z.string().max(128),
    events: z.array(entrySchema).max(500),
    cursor: nextCursor,
    is_log_whole: z.boolean().describe('false: the last line of the log is still being written, or was cut off'),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 192 * kibibyte },
  examples: [
    { input: { run: 'latest', kind: ['bait-read', 'leak'] }, says: 'decoys that were read, canaries that came out' },
    { input: { run: 'latest', phase: ['install'], kind: ['exec'] }, says: 'what its installation started' },
  ],
  async handle(input, { settings, out, limits, signal }) {
    const [{ findKeptRun }, { findEvents }] = await Promise.all([
      import('../runs/load-run.ts'),
      import('./find-events.ts'),
    ]);
    const folder = await findKeptRun(input.run, settings.values.home);
    const { events, cursor, isLogWhole } = await findEvents(folder, input, limits.outputBytes / 2, signal);
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    out.say(`Run ${name}: ${events.length} events${cursor === null ? '' : `; more with cursor "${cursor}"`}.`);
    if (events.length > 0) {
      out.quote({ label: `events of run ${name}`, text: events.map((event) => JSON.stringify(event)).join('\n') });
    }
    return { run: name, events: [...events], cursor, is_log_whole: isLogWhole };
  },
});
