import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord } from './fields.ts';

export const getReportTemplate = defineLabTool({
  name: 'get_report_template',
  title: 'A template for a report',
  description: 'Gives a template in Markdown for a report on a sample, with the sections that may be left out marked.',
  input: z.strictObject({}),
  data: z.strictObject({ template: z.string().max(64 * kibibyte), details: anyRecord }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 128 * kibibyte },
  examples: [{ input: {}, says: 'the template' }],
  async handle(_input, { out }) {
    const { reportTemplate } = await import('../../../instruments/lab/guidance/index.ts');
    const { template, ...details } = reportTemplate();
    out.say(template);
    return { template, details: { ...details } };
  },
});
