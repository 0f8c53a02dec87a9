import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import type { DescribedScope } from '../../../instruments/probe/describe.ts';
import { networkLayers } from '../../../instruments/probe/options.ts';
import { defineTool } from '../define-tool.ts';

const mostTold = 50;

const text = z.string().max(4096);
const count = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** For clients that show their model the text alone. */
export function tellScope(told: DescribedScope): string {
  const { name, fingerprint, targets, ports, urls, methods, credentials, rate, objection, notes } = told;
  const missing = told.scanners.filter(({ is_available: isAvailable }) => !isAvailable);
  const list = (items: readonly string[], none: string): string => {
    if (items.length === 0) return none;
    return `${items.slice(0, mostTold).join(', ')}${items.length > mostTold ? ` and ${items.length - mostTold} more` : ''}`;
  };
  return [
    `Scope ${name} (${fingerprint.slice(0, 12)}): ${list(targets, 'nothing')}. ${objection ?? 'It holds now.'}`,
    `Ports: ${ports === null ? 'all' : list(ports, 'none')}. URLs: ${list(urls, 'every path')}. Methods: ${list(methods, 'all')}. Credentials: ${list(credentials, 'none')}. ${rate.requests_per_second} requests a second.`,
    ...(missing.length === 0 ? [] : [`Not available: ${missing.map(({ name: scanner }) => scanner).join(', ')}.`]),
    ...notes.map((note) => `Note: ${note}.`),
  ].join('\n');
}

export const getScope = defineTool({
  name: 'get_scope',
  title: 'What may be scanned',
  description:
    'Tells the scope that holds: who allowed it, targets with their pinned addresses, ports, URL prefixes, methods, rates, times, names of credentials, and which scanners are installed. It cannot be changed from here.',
  toolset: 'probe',
  closed: true,
  input: z.strictObject({}),
  output: z.strictObject({
    name: text,
    fingerprint: z.string().max(64),
    network: z.enum(networkLayers),
    authorization: z.record(z.string().max(64), z.string().max(8000)),
    targets: z.array(text).max(1000),
    pins: z.record(z.string().max(256), z.array(z.string().max(64)).max(64)),
    ports: z.array(z.string().max(16)).max(1000).nullable().describe('null: all'),
    urls: z.array(text).max(1000),
    methods: z.array(z.string().max(32)).max(64),
    credentials: z.array(z.string().max(64)).max(64).describe('names that scanners take; the values are not shown'),
    rate: z
      .strictObject({ requests_per_second: count, connections_per_second: count })
      .describe('of all scans together'),
    concurrency: z.strictObject({ scans: count, per_target: count, connections: count }),
    not_before: z.string().max(64).nullable(),
    expires: z.string().max(64).nullable(),
    window: z.string().max(200).nullable().describe('time of day in which scans may run; null: any'),
    objection: text.nullable().describe('why nothing may be scanned right now'),
    scanners: z
      .array(z.strictObject({ name: z.string().max(64), is_available: z.boolean(), because: text.nullable() }))
      .max(32),
    notes: z.array(text).max(100),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: {}, says: 'before the first scan' }],
  async handle(_input, context) {
    const { describeScope } = await import('../../../instruments/probe/describe.ts');
    const told = await describeScope(await context.probe(), Date.now());
    context.out.say(tellScope(told));
    return told;
  },
});
