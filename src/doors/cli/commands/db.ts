import { z } from 'zod';
import { type CommandDefinition, defineCommand } from '../definition.ts';

const json = { flags: '--json', description: 'as JSON' };
const input = z.object({ json: z.boolean().default(false) });

const update = defineCommand({
  name: 'update',
  summary: 'fetch the advisories for npm and PyPI from where OSV publishes them',
  options: [json],
  examples: [{ line: 'hotcell db update', says: 'once a week, for scans without a network' }],
  input,
  async run(wishes, _, door) {
    const { runUpdate } = await import('../scan/database.ts');
    return runUpdate(wishes, door);
  },
});

const importFiles = defineCommand({
  name: 'import',
  summary: 'take OSV records from zip files or folders that are here already',
  arguments: [{ name: '<path...>', description: 'zip files as OSV publishes them, or folders of records' }],
  options: [json],
  examples: [{ line: 'hotcell db import npm.zip PyPI.zip', says: 'on a machine without a network' }],
  input,
  async run(wishes, words, door) {
    const { runImport } = await import('../scan/database.ts');
    return runImport(wishes, words, door);
  },
});

const status = defineCommand({
  name: 'status',
  summary: 'how many advisories are here, and how old they are',
  options: [json],
  examples: [{ line: 'hotcell db status', says: 'before relying on it' }],
  input,
  async run(wishes, _, door) {
    const { runStatus } = await import('../scan/database.ts');
    return runStatus(wishes, door);
  },
});

export const db: CommandDefinition = {
  name: 'db',
  summary: 'the advisories that are kept on this machine',
  description:
    'Scans ask an OSV database on this machine first. It is made and brought up to date with these commands.',
  examples: [{ line: 'hotcell db update', says: 'fetch or bring up to date' }],
  subcommands: [update, importFiles, status],
};
