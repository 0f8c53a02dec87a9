import { z } from 'zod';
import { type CommandDefinition, type Door, defineCommand } from '../definition.ts';

const options = {
  json: { flags: '--json', description: 'everything as one JSON document' },
  fix: { flags: '--fix', description: 'install the missing Debian packages; shows the command first' },
  clean: { flags: '--clean', description: 'remove what killed runs of Hotcell left behind, and nothing else' },
  yes: { flags: '--yes', description: 'do not ask before installing' },
} as const;

const exits = [
  { code: '0', when: 'at least one backend passed its self-check' },
  { code: '4', when: 'none did: Hotcell will not run anything here' },
];

const input = z.object({
  json: z.boolean().default(false),
  fix: z.boolean().default(false),
  clean: z.boolean().default(false),
  yes: z.boolean().default(false),
});

/** The probes and boxes are heavy to load; help and other commands do not pay for them. */
async function run(wishes: z.infer<typeof input>, _words: readonly string[], door: Door): Promise<number> {
  const { runDoctor } = await import('../doctor/run.ts');
  return runDoctor(wishes, door);
}

export const doctor: CommandDefinition = defineCommand({
  name: 'doctor',
  summary: 'find out what this machine can do, by trying it',
  description: [
    'Find out what this machine can do, by trying it: kernel features, every kind of box (one is made, and proves',
    'itself from inside), and the programs that parts of Hotcell call. What is missing comes with what would mend it.',
  ].join('\n'),
  options: [options.json, options.fix, options.clean, options.yes],
  examples: [
    { line: 'hotcell doctor', says: 'look' },
    { line: 'hotcell doctor --fix --yes', says: 'install what is missing, without a question' },
    { line: 'hotcell doctor --clean', says: 'after a run was killed' },
    { line: 'hotcell doctor --json', says: 'for a program' },
  ],
  exits,
  input,
  run,
});

export const setup: CommandDefinition = defineCommand({
  name: 'setup',
  summary: 'the same as doctor --fix',
  description: 'Install what is missing for boxes, then look again: the same as doctor --fix.',
  options: [options.json, options.yes],
  examples: [
    { line: 'hotcell setup', says: 'shows the command, asks, installs' },
    { line: 'hotcell setup --yes', says: 'on a machine where nobody answers' },
  ],
  exits,
  input,
  run: (wishes, words, door) => run({ ...wishes, fix: true }, words, door),
});
