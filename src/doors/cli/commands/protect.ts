import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const protect = defineCommand({
  name: 'protect',
  summary: 'put the servers of MCP clients behind hotcell run, or take them out again',
  description: [
    'Rewrite the config files of MCP clients so that every server they start goes through hotcell run. The change is shown first, and made only after a yes.',
    'Only the command and the front of its arguments change: comments, order, indentation and line ends stay. What cannot be changed like that is refused with the reason.',
    'A backup is kept; --undo brings every byte back. Where the file was changed since by somebody else, only the words of the guard are taken out again.',
    'Variables of an entry stay in it, and are named to the guard. Paths that its arguments name become --read; with --allow-write they become --write.',
    'Servers that are reached by URL run elsewhere and cannot be covered: they are listed.',
  ].join('\n'),
  settings: ['backend', 'policy'],
  options: [
    {
      flags: '--client <name>',
      description: 'cursor, claude-desktop, claude-code, vscode, … or all; default all',
      isRepeatable: true,
    },
    { flags: '--file <path>', description: 'this file, whoever it belongs to', isRepeatable: true },
    { flags: '--server <name>', description: 'only this server', isRepeatable: true },
    { flags: '--mode <mode>', description: 'what hotcell run is to do: enforce, audit or learn' },
    {
      flags: '--allow-write <path>',
      description: 'servers that name this path, or something below it, may change it',
      isRepeatable: true,
    },
    { flags: '--program <path>', description: 'the hotcell that clients are to start; default this one' },
    { flags: '--dry-run', description: 'show the change, and make none' },
    { flags: '-y, --yes', description: 'make the change without asking' },
    { flags: '--undo', description: 'take the change back' },
    { flags: '--force', description: 'with --undo: the backup in the place of the file, whatever was changed since' },
    { flags: '--json', description: 'one JSON document instead of text' },
  ],
  examples: [
    { line: 'hotcell protect --dry-run', says: 'what would change, in every client of this machine' },
    { line: 'hotcell protect --client cursor', says: 'one client; asks before anything is written' },
    {
      line: 'hotcell protect --file .mcp.json --server files --allow-write ~/notes --yes',
      says: 'one server that may write to one folder',
    },
    { line: 'hotcell protect --client all --mode learn --yes', says: 'find out first what each server needs' },
    { line: 'hotcell protect --undo', says: 'everything as it was, byte for byte' },
  ],
  exits: [
    { code: '0', when: 'done, or nothing to do, or shown' },
    { code: '2', when: 'the command line cannot be understood, or nobody was there to say yes: nothing was changed' },
    { code: '3', when: 'a file was refused, or was changed by another program meanwhile: it was left alone' },
  ],
  input: z.object({
    client: z.array(z.string()).default([]),
    file: z.array(z.string()).default([]),
    server: z.array(z.string()).default([]),
    mode: z.string().optional(),
    allowWrite: z.array(z.string()).default([]),
    program: z.string().optional(),
    dryRun: z.boolean().default(false),
    yes: z.boolean().default(false),
    undo: z.boolean().default(false),
    force: z.boolean().default(false),
    json: z.boolean().default(false),
  }),
  async run(wishes, _words, door) {
    const { runProtectCommand } = await import('../protect/run.ts');
    return runProtectCommand(wishes, door);
  },
});
