import { z } from 'zod';
import { exitCodes } from '../../../../base/errors.ts';
import { defineCommand } from '../../definition.ts';
import { renderComparison } from '../../policy/render.ts';
import { formatJson } from '../../terminal/index.ts';

export const diff = defineCommand({
  name: 'diff',
  summary: 'what the second policy allows that the first does not, and the other way round',
  arguments: [
    { name: '<a>', description: 'a tier or a policy file' },
    { name: '<b>', description: 'the one to compare with it' },
  ],
  options: [{ flags: '--json', description: 'as one JSON document' }],
  examples: [
    { line: 'hotcell policy diff LOW MEDIUM', says: 'what one more step of trust gives' },
    { line: 'hotcell policy diff old.json new.json', says: 'in a review: exit 1 when the new one allows more' },
  ],
  exits: [
    { code: '0', when: 'the second allows nothing that the first does not' },
    { code: '1', when: 'the second allows more' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run({ json }, [first = '', second = ''], { stdout, terminal }) {
    const { diffPolicies, readPolicy } = await import('../../../../engine/policy/index.ts');
    const [a, b] = [readPolicy(first).policy, readPolicy(second).policy];
    const comparison = { names: [first, second], more: diffPolicies(a, b), less: diffPolicies(b, a) } as const;
    stdout.write(json ? formatJson(comparison) : renderComparison(comparison, terminal));
    return comparison.more.length === 0 ? exitCodes.clean : exitCodes.findings;
  },
});
