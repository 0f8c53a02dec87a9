import { z } from 'zod';
import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import { defineCommand } from '../../definition.ts';
import { renderNotices } from '../../policy/render.ts';
import { formatJson } from '../../terminal/index.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'read a policy and say what is wrong or remarkable about it',
  description: [
    'Read a policy and say what is wrong with it: the path of the field, what was expected there, and the nearest valid',
    'key. A policy that can be used may still have remarkable lines; they are printed, and are no error.',
  ].join('\n'),
  arguments: [{ name: '<tier|file>', description: 'a policy file, or a tier' }],
  options: [{ flags: '--json', description: 'as one JSON document' }],
  examples: [
    { line: 'hotcell policy check my-policy.json', says: 'before it is used' },
    { line: 'hotcell policy check my-policy.json --json', says: 'with its fingerprint, for a program' },
  ],
  exits: [
    { code: '0', when: 'it can be used' },
    { code: '2', when: 'it cannot' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run({ json }, [name = ''], { stdout, terminal }) {
    const { fingerprintPolicy, readPolicy } = await import('../../../../engine/policy/index.ts');
    const { policy, notices } = readPolicy(name);
    const fingerprint = fingerprintPolicy(policy);
    if (json) stdout.write(formatJson({ name: policy.name, fingerprint, notices }));
    else {
      const { style, symbols } = terminal;
      stdout.write(
        `${style.good(symbols.good)} ${forTerminal(untrusted(policy.name))} can be used; fingerprint ${style.code(fingerprint)}\n`,
      );
      stdout.write(renderNotices(notices, terminal));
    }
    return 0;
  },
});
