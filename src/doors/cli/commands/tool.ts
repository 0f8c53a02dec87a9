import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const tool = defineCommand({
  name: 'tool',
  summary: 'call one of the tools that agents get over MCP',
  description: [
    'Call one of the tools that agents get over MCP: the same definitions, the same answers. Without a name the tools are listed; hotcell tool NAME --help shows the flags, the examples and the schema of one.',
    'Flags are the fields of the input: a text or a number follows its flag, a list is given one by one, an object as JSON. A value that begins with -- is written as --flag=VALUE; for a tool that takes a command, its words may follow after --.',
    'A job ends with the command that started it: the command waits for it.',
  ].join('\n'),
  arguments: [{ name: '[name]', description: 'the tool, then its flags' }],
  options: [],
  hasOpenFlags: true,
  examples: [
    { line: 'hotcell tool', says: 'every tool, by toolset' },
    { line: 'hotcell tool scan_server --target ./my-server', says: 'read a server without running it' },
    { line: 'hotcell tool get_report --run latest --section findings --json', says: 'for a program' },
    { line: 'hotcell tool run_in_box --tier LOW -- id', says: 'a command in a throw-away box' },
    { line: 'hotcell tool get_policy --help', says: 'flags, examples and schema of one tool' },
  ],
  exits: [
    { code: '0', when: 'the tool has answered' },
    { code: '2', when: 'there is no such tool, or its input will not do' },
    { code: '3', when: 'the target kept it from an answer, or the answer was too large: the message says where it is' },
    { code: '4', when: 'no isolation available: nothing was run' },
    { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: what was running was ended' },
  ],
  input: z.object({}),
  async run(_input, words, door) {
    const { runToolCommand } = await import('../tool/run.ts');
    return runToolCommand(words, door);
  },
});
