import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const diff = defineCommand({
  name: 'diff',
  summary: 'what is new between two runs: tools, behaviour, permissions, findings',
  description: 'Compare two runs, such as those of two versions of a server. Nothing is run.',
  arguments: [
    { name: '<run>', description: 'the earlier one: folder, report.json, name of a run, or latest' },
    { name: '<other>', description: 'the later one' },
  ],
  options: [{ flags: '--json', description: 'as one JSON document' }],
  examples: [
    { line: 'hotcell diff old/ new/', says: 'what an update brings' },
    { line: 'hotcell diff accepted/report.json latest --json', says: 'for a program' },
  ],
  exits: [
    { code: '0', when: 'nothing is worse' },
    { code: '1', when: 'something new is worse' },
    { code: '2', when: 'there is no such run, or the file is no report' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run(flags, words, door) {
    const { runDiffCommand } = await import('../analyze/diff.ts');
    return runDiffCommand(flags, words, door);
  },
});
