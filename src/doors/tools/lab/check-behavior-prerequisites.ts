import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { visible, visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord, bytesCount, fileField, short } from './fields.ts';

export const checkBehaviorPrerequisites = defineLabTool({
  name: 'check_behavior_prerequisites',
  title: 'Whether a program could do something at all',
  description:
    'Asks for each behaviour whether the program imports the functions that it needs, and says what that proves and what not: before a capability is claimed. Reads and runs nothing.',
  input: z.strictObject({
    file: fileField,
    behavior: z
      .string()
      .regex(/^[a-z0-9_]+$/, 'expected the name of a behaviour')
      .max(64)
      .optional()
      .describe('one behaviour, such as process_injection_remote; default: all'),
  }),
  data: z.strictObject({
    file: short,
    file_type: z.string().max(512),
    is_pe: z.boolean(),
    managed: z.boolean(),
    packer_detected: z.string().max(1024).nullable(),
    import_count: bytesCount,
    dynamic_resolution_present: z.boolean(),
    basis: z.string().max(1024),
    results: z.array(anyRecord).max(128),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 5 * minuteMs, outputBytes: 512 * kibibyte },
  examples: [
    { input: { file: 'sample.exe' }, says: 'all behaviours' },
    { input: { file: 'sample.exe', behavior: 'keylog_hook' }, says: 'one' },
  ],
  async handle({ file, behavior }, { open, signal, out }) {
    const [{ knowSample }, { checkBehaviours }] = await Promise.all([
      import('../../../instruments/lab/operations/know-sample.ts'),
      import('../../../instruments/lab/behaviours/index.ts'),
    ]);
    const { sample, kind, facts } = await knowSample(open, file, 'standard', signal);
    const { results, packer_detected: packer, ...report } = checkBehaviours(kind.id, facts, behavior);
    for (const { behavior: name, static_capability: capability, rationale } of results) {
      out.say(`${name}: ${capability}. ${rationale}`);
    }
    return {
      file: visibleText(sample.name, 1000),
      file_type: kind.title,
      ...report,
      packer_detected: packer === null ? null : visibleText(packer, 200),
      results: results.map((result) => visible(result)),
    };
  },
});
