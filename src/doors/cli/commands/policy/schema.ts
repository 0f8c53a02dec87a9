import { z } from 'zod';
import { defineCommand } from '../../definition.ts';
import { formatJson } from '../../terminal/index.ts';

export const schema = defineCommand({
  name: 'schema',
  summary: 'print the JSON Schema of a policy file',
  examples: [
    { line: 'hotcell policy schema', says: 'for an editor that completes and checks' },
    { line: 'hotcell policy schema >policy.schema.json', says: 'kept beside a policy' },
  ],
  input: z.object({}),
  async run(_input, _words, { stdout }) {
    const { policyJsonSchema } = await import('../../../../engine/policy/index.ts');
    stdout.write(formatJson(policyJsonSchema()));
    return 0;
  },
});
