import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { kibibyte, mebibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';
import { runField } from './fields.ts';

export const policyForms = ['json', 'docker-flags', 'sandbox-runtime', 'toolhive'] as const;

export const getPolicy = defineTool({
  name: 'get_policy',
  title: 'The least privilege that a server proved to need',
  description:
    'Returns the policy that a run learnt: what the server needs to read, write, execute and connect to, and nothing else. As a policy file of Hotcell, or for another tool; what that tool cannot express is listed.',
  toolset: 'analyze',
  input: z.strictObject({
    run: runField,
    format: z.enum(policyForms).default('json').describe('json is a policy file of Hotcell'),
  }),
  output: z.strictObject({
    run: z.string().max(128),
    format: z.enum(policyForms),
    text: z.string().max(4 * mebibyte),
    gaps: z
      .array(
        z.strictObject({
          id: z.string().max(96),
          path: z.string().max(4608),
          what: z.string().max(4608),
          effect: z.enum(['closed', 'open']).describe('closed: stricter than asked; open: weaker'),
        }),
      )
      .max(10_000),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 256 * kibibyte },
  examples: [
    { input: { run: 'latest' }, says: 'as a policy file' },
    { input: { run: 'latest', format: 'docker-flags' }, says: 'as options of docker run' },
  ],
  async handle({ run: given, format }, { settings, out }) {
    const [{ loadKeptRun }, { compile, samplePlace }, { formatJson }] = await Promise.all([
      import('../runs/load-run.ts'),
      import('../../../engine/policy/index.ts'),
      import('../../../base/format-json.ts'),
    ]);
    const { report, name } = await loadKeptRun(given, settings.values.home);
    const policy = report.subjects[0]?.analysis?.policy ?? null;
    if (policy === null) {
      throw new UsageError(`the run ${name} has no policy: the server was never seen running`, {
        hint: 'analyze_server runs it',
      });
    }
    const { text, gaps } =
      format === 'json' ? { text: formatJson(policy), gaps: [] } : compile(policy, format, samplePlace());
    const weaker = gaps.filter(({ effect }) => effect === 'open').length;
    out.say(
      `Policy of run ${name} as ${format}.${gaps.length === 0 ? '' : ` ${gaps.length} things cannot be said in that form, ${weaker} of them make it weaker: see gaps.`}`,
    );
    out.quote({ label: `the policy of run ${name}; paths and hosts in it were chosen by the server`, text });
    return { run: name, format, text, gaps: gaps.map(({ id, path, what, effect }) => ({ id, path, what, effect })) };
  },
});
