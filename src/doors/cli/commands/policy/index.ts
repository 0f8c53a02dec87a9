import type { CommandDefinition } from '../../definition.ts';
import { check } from './check.ts';
import { diff } from './diff.ts';
import { explain } from './explain.ts';
import { schema } from './schema.ts';
import { show } from './show.ts';

export const policy: CommandDefinition = {
  name: 'policy',
  summary: 'show, explain, check and compare policies',
  description: 'A policy says what a target may read, write, execute, connect to, and how much it may use.',
  examples: [
    { line: 'hotcell policy show LOW', says: 'a complete policy' },
    { line: 'hotcell policy check my-policy.json', says: 'what is wrong with it' },
  ],
  subcommands: [show, explain, check, diff, schema],
};
