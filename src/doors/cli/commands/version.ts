import { z } from 'zod';
import { readVersion } from '../../tools/version.ts';
import { defineCommand } from '../definition.ts';
import { formatJson } from '../terminal/index.ts';

export const version = defineCommand({
  name: 'version',
  summary: 'print the version of Hotcell and of the Node it runs on',
  options: [{ flags: '--json', description: 'as one JSON document' }],
  examples: [
    { line: 'hotcell version', says: 'for people' },
    { line: 'hotcell version --json', says: 'for a bug report' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run({ json }, _words, { stdout }) {
    const facts = {
      hotcell: await readVersion(),
      node: process.versions.node,
      platform: process.platform,
      architecture: process.arch,
    };
    stdout.write(
      json
        ? formatJson(facts, 0)
        : `hotcell ${facts.hotcell} (node ${facts.node}, ${facts.platform} ${facts.architecture})\n`,
    );
    return 0;
  },
});
