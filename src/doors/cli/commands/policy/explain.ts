import { z } from 'zod';
import { defineCommand } from '../../definition.ts';
import { renderExplanation, renderNotices } from '../../policy/render.ts';

export const explain = defineCommand({
  name: 'explain',
  summary: 'say in plain words what a policy allows',
  arguments: [{ name: '<tier|file>', description: 'LOW, MEDIUM, HIGH, CRITICAL, or a policy file' }],
  examples: [
    { line: 'hotcell policy explain LOW', says: 'the strictest tier' },
    { line: 'hotcell policy explain my-policy.json', says: 'a policy of your own' },
  ],
  input: z.object({}),
  async run(_input, [name = ''], { stdout, stderr, terminal, errorTerminal }) {
    const { explainPolicy, readPolicy } = await import('../../../../engine/policy/index.ts');
    const { policy, notices } = readPolicy(name);
    stderr.write(renderNotices(notices, errorTerminal));
    stdout.write(renderExplanation(explainPolicy(policy), terminal));
    return 0;
  },
});
