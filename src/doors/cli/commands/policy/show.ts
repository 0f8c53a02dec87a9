import { z } from 'zod';
import { defineCommand } from '../../definition.ts';
import { renderGaps, renderNotices } from '../../policy/render.ts';
import { formatJson } from '../../terminal/index.ts';

export const show = defineCommand({
  name: 'show',
  summary: 'print a policy, or what it becomes for one kind of enforcement',
  description: [
    'Print a policy as a complete file, or with --for what it becomes for one kind of enforcement on an example place.',
    'What that kind cannot express is listed on stderr: "stricter" where it refuses more than was asked, "weaker" where',
    'it refuses less.',
  ].join('\n'),
  arguments: [{ name: '<tier|file>', description: 'LOW, MEDIUM, HIGH, CRITICAL, or a policy file' }],
  options: [
    {
      flags: '--for <target>',
      description:
        'oci, bwrap, landlock, seccomp, cgroup, docker, seatbelt or nftables; or, for other tools: docker-flags, sandbox-runtime or toolhive',
    },
    { flags: '--json', description: 'text and gaps as one JSON document' },
  ],
  examples: [
    { line: 'hotcell policy show LOW', says: 'a complete policy, to start one of your own from' },
    { line: 'hotcell policy show LOW --for oci', says: 'the container configuration that runc and gVisor get' },
    { line: 'hotcell policy show MEDIUM --for nftables', says: 'its network rules' },
    { line: 'hotcell policy show policy.json --for docker-flags', says: 'options for docker run, one per line' },
  ],
  input: z.object({ for: z.string().optional(), json: z.boolean().default(false) }),
  async run({ for: wanted, json }, [name = ''], { stdout, stderr, errorTerminal }) {
    const { compile, readPolicy, readTarget, samplePlace } = await import('../../../../engine/policy/index.ts');
    const { policy, notices } = readPolicy(name);
    if (wanted === undefined) {
      stderr.write(renderNotices(notices, errorTerminal));
      stdout.write(formatJson(policy));
      return 0;
    }
    const { text, gaps } = compile(policy, readTarget(wanted), samplePlace());
    if (json) {
      stdout.write(formatJson({ target: wanted, text, gaps, notices }));
      return 0;
    }
    stderr.write(renderNotices(notices, errorTerminal) + renderGaps(gaps, errorTerminal));
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return 0;
  },
});
