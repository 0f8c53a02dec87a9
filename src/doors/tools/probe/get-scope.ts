import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { networkLayers } from '../../../instruments/probe/options.ts';
import { defineTool } from '../define-tool.ts';

const text = z.string().max(4096);

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
    authorization: z.record(z.string().max(64), z.string().max(4096)),
    targets: z.array(text).max(1000),
    pins: z.record(z.string().max(256), z.array(z.string().max(64)).max(64)),
    ports: z.array(z.string().max(16)).max(1000).nullable().describe('null: all'),
    urls: z.array(text).max(1000),
    methods: z.array(z.string().max(32)).max(64),
    credentials: z.array(z.string().max(64)).max(64).describe('names that scanners take; the values are not shown'),
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
    const missing = told.scanners.filter(({ is_available: isAvailable }) => !isAvailable);
    context.out.say(
      `Scope ${told.name} (${told.fingerprint.slice(0, 12)}): ${told.targets.join(', ')}. ${told.objection ?? 'It holds now.'}${missing.length === 0 ? '' : ` Not available: ${missing.map(({ name }) => name).join(', ')}.`}`,
    );
    return told;
  },
});
