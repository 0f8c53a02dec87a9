import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const approve = defineCommand({
  name: 'approve',
  summary: 'look at what a guard holds back, and let it pass',
  description: [
    'What a server offers is remembered when it is first seen: names, descriptions, schemas, annotations, prompts, resources, instructions. What is new or different later is held back until it is approved here.',
    'Without --tool, --id or --all nothing is approved: what is held back is shown, old and new. Guards that run notice an approval by themselves.',
    'A line of a policy that says "ask" is answered with --ask, for one call or with --always for all of them.',
  ].join('\n'),
  arguments: [{ name: '[name]', description: 'the name of the server, as hotcell run has it' }],
  options: [
    {
      flags: '--tool <name>',
      description: 'approve this tool, prompt or resource, or "instructions"',
      isRepeatable: true,
    },
    {
      flags: '--id <id>',
      description: 'approve exactly the change that was shown with this id, and nothing that came later',
      isRepeatable: true,
    },
    { flags: '--all', description: 'approve everything that is held back of this server' },
    { flags: '--list', description: 'only show what is held back' },
    { flags: '--show', description: 'show what is pinned' },
    { flags: '--forget', description: 'forget what is pinned: what the server offers next is taken as it is' },
    { flags: '--ask', description: 'with --tool: the next call that the policy asks about may be made' },
    { flags: '--always', description: 'with --ask: every call; with --forget it is taken back' },
    { flags: '--json', description: 'as one JSON document' },
  ],
  examples: [
    { line: 'hotcell approve', says: 'everything that is held back, of all servers' },
    { line: 'hotcell approve files', says: 'what has changed in one server' },
    { line: 'hotcell approve files --tool read_file', says: 'one tool may be used as it is now' },
    { line: 'hotcell approve files --id 3f9a0c12b7de', says: 'one change, exactly as it was shown' },
    { line: 'hotcell approve files --all', says: 'all of it' },
    { line: 'hotcell approve files --tool delete_file --ask', says: 'one call of a tool that the policy asks about' },
    { line: 'hotcell approve files --forget', says: 'begin anew' },
  ],
  exits: [
    { code: '0', when: 'done; when showing: nothing is held back' },
    { code: '1', when: 'when showing: something is held back; when approving: not all of it was there any more' },
    { code: '2', when: 'there is no such server or change' },
  ],
  input: z.object({
    tool: z.array(z.string()).default([]),
    id: z.array(z.string()).default([]),
    all: z.boolean().default(false),
    list: z.boolean().default(false),
    show: z.boolean().default(false),
    forget: z.boolean().default(false),
    ask: z.boolean().default(false),
    always: z.boolean().default(false),
    json: z.boolean().default(false),
  }),
  async run(options, words, door) {
    const { runApproveCommand } = await import('../approve/run.ts');
    return runApproveCommand(options, words, door);
  },
});
