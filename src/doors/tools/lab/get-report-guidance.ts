import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { reportTopics } from '../../../instruments/lab/guidance/index.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord } from './fields.ts';

export const getReportGuidance = defineLabTool({
  name: 'get_report_guidance',
  title: 'How to write a report',
  description:
    'Tells how a report on a sample is written so that it holds: sections, confidence, capabilities and their proof, mistakes to avoid, a check list before it is handed over.',
  input: z.strictObject({ topic: z.enum(reportTopics).default('all').describe('one topic, or all') }),
  data: z.strictObject({ topic: z.enum(reportTopics), guidance: anyRecord }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [{ input: { topic: 'confidence' }, says: 'how sure is sure' }],
  async handle({ topic }, { out }) {
    const { reportGuidance } = await import('../../../instruments/lab/guidance/index.ts');
    const guidance = reportGuidance(topic);
    out.say(JSON.stringify(guidance, null, 1));
    return { topic, guidance: { ...guidance } };
  },
});
