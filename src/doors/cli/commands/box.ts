import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const box = defineCommand({
  name: 'box',
  summary: 'run one command in a box that is made for it and thrown away',
  description: [
    'Run one command in a box that is made for it and thrown away. Its input, output and exit code are passed through.',
    'Where the output is a terminal, control characters are spelled out; a pipe or a file gets the bytes as they are.',
    'At the end one line on stderr says what was in force and what was hit.',
    'With --watch everything it does is shown as it happens and kept: decoys lie in its home, and an internet that is not there answers it. Nothing reaches the real network unless the policy lists hosts.',
  ].join('\n'),
  arguments: [{ name: '<command...>', description: 'the command, after --' }],
  settings: ['backend', 'policy'],
  options: [
    {
      flags: '--env <name=value>',
      description: 'a variable for the command; the policy has to list its name',
      isRepeatable: true,
    },
    { flags: '--workdir <folder>', description: 'show this folder to the command, read-only, and start there' },
    { flags: '--time <ms>', description: 'end everything after this many milliseconds' },
    { flags: '--watch', description: 'show what the command does, and keep it in a folder' },
    {
      flags: '--witness',
      description: 'with --watch: a second witness in the kernel that also sees refusals; needs root and bpftrace',
    },
    {
      flags: '-o, --output <folder>',
      description: 'with --watch: the folder; default: a new one in HOTCELL_HOME/runs',
    },
    { flags: '--network <mode>', description: 'none, fake or allowlist; with --watch, none in a policy becomes fake' },
    { flags: '--no-decoys', description: 'with --watch: an empty home' },
    { flags: '--raw', description: 'leave control characters alone, even on a terminal' },
    { flags: '--quiet', description: 'no line at the end' },
    { flags: '--json', description: 'the line at the end as one JSON document, with the whole record of the box' },
  ],
  examples: [
    { line: 'hotcell box -- id', says: 'in the strongest box there is, under the tier LOW' },
    { line: 'hotcell box --policy MEDIUM -- node -e "console.log(1)"', says: 'under another tier' },
    { line: 'hotcell box --backend landlock --workdir . -- ls', says: 'look at this folder without root or packages' },
    {
      line: 'hotcell box --watch -- npx some-server',
      says: 'see files, processes and network; read it again with hotcell events',
    },
    { line: 'hotcell box --time 2000 -- sleep 60', says: 'not longer than two seconds' },
  ],
  exits: [
    { code: 'any', when: "the command's own; 128+n when signal n ended it" },
    { code: '2', when: 'the command line or the policy cannot be understood: nothing was run' },
    { code: '3', when: 'with --watch: the command ended with 0, but a sensor did not see everything' },
    { code: '4', when: 'no isolation available: nothing was run' },
    { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: the box was ended and put away' },
  ],
  input: z.object({
    env: z.array(z.string()).default([]),
    workdir: z.string().optional(),
    time: z.string().optional(),
    watch: z.boolean().default(false),
    witness: z.boolean().default(false),
    output: z.string().optional(),
    network: z.string().optional(),
    decoys: z.boolean().default(true),
    raw: z.boolean().default(false),
    quiet: z.boolean().default(false),
    json: z.boolean().default(false),
  }),
  async run(wishes, words, door) {
    const { runBoxCommand } = await import('../box/run.ts');
    return runBoxCommand(wishes, words, door);
  },
});
