import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { axes, severities } from '../../../base/finding-schema.ts';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineTool } from '../define-tool.ts';

const text = z.string().max(16 * kibibyte);
const ids = z.array(z.string().max(32)).max(64);

export const explainRule = defineTool({
  name: 'explain_rule',
  title: 'What a rule looks for',
  description: 'Explains one rule: what it looks for, why that matters, how to mend it, and an example of either kind.',
  toolset: 'analyze',
  input: z.strictObject({
    rule: z.string().min(1).max(96).describe('id of a rule, as findings name it, such as taint/command-injection'),
  }),
  output: z.strictObject({
    id: z.string().max(96),
    title: text,
    severity: z.enum(severities),
    axis: z.enum(axes),
    cwe: ids,
    owasp: ids,
    what: text,
    why: text,
    remediation: text,
    fires: text.describe('an example that the rule fires on'),
    silent: text.describe('one that it does not fire on'),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: minuteMs, outputBytes: 96 * kibibyte },
  examples: [{ input: { rule: 'taint/command-injection' }, says: 'one rule' }],
  async handle({ rule: wanted }, { out }) {
    const [{ ruleCatalogue }, { findNearest }] = await Promise.all([
      import('../../../instruments/analyze/scan/index.ts'),
      import('../../../engine/policy/nearest.ts'),
    ]);
    const rules = ruleCatalogue();
    const rule = rules.find(({ id }) => id === wanted);
    if (rule === undefined) {
      const known = rules.map(({ id }) => id);
      const nearest = findNearest(wanted, known);
      throw new UsageError(`there is no rule called ${JSON.stringify(wanted)}`, {
        hint: nearest === null ? `rules: ${known.join(', ')}` : `did you mean ${nearest}?`,
      });
    }
    const { id, title, severity, axis, cwe, owasp, what, why, remediation, fires, silent } = rule;
    out.say(`${id} (${severity}, ${axis}): ${title}\n\n${what}\n\n${why}\n\nRemedy: ${remediation}`);
    if (fires !== '') out.say(`Fires on:\n${fires}`);
    if (silent !== '') out.say(`Silent on:\n${silent}`);
    return { id, title, severity, axis, cwe: [...cwe], owasp: [...owasp], what, why, remediation, fires, silent };
  },
});
