import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { iocTypes, osintTopics } from '../../../instruments/lab/guidance/index.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord } from './fields.ts';

export const getOsintGuidance = defineLabTool({
  name: 'get_osint_guidance',
  title: 'How to look indicators up without giving them away',
  description:
    'Tells which public services know what about an indicator, how they are reached, and what each learns from being asked. Asks none of them.',
  input: z.strictObject({
    topic: z.enum(osintTopics).default('all').describe('one topic, or all'),
    ioc_type: z.enum(iocTypes).optional().describe('only what concerns this type'),
  }),
  data: z.strictObject({ topic: z.enum(osintTopics), guidance: anyRecord }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: { topic: 'resources', ioc_type: 'hash' }, says: 'who knows hashes' }],
  async handle({ topic, ioc_type }, { out }) {
    const { osintGuidance } = await import('../../../instruments/lab/guidance/index.ts');
    const guidance = osintGuidance(topic, ioc_type);
    out.say(JSON.stringify(guidance, null, 1));
    return { topic, guidance: { ...guidance } };
  },
});
