import { runFlagsSchema } from '../analyze/flags.ts';
import { defineCommand } from '../definition.ts';

export const replay = defineCommand({
  name: 'replay',
  summary: 'do one finding of a run again and say whether it comes about',
  description: [
    'Run the same version of the same target again, and only what one finding is about: its call, or its phase.',
    'Arguments and props of that run are used again; values of variables and headers are not kept and have to be given.',
  ].join('\n'),
  arguments: [
    { name: '<run>', description: 'folder, report.json, name of a run, or latest' },
    { name: '<finding>', description: 'id of the finding, or enough of its beginning' },
  ],
  settings: ['backend'],
  options: [
    {
      flags: '--env <name=value>',
      description: 'a variable for the server; a name alone takes yours',
      isRepeatable: true,
    },
    {
      flags: '--arg <value>',
      description: 'an argument for the server, instead of those of the run',
      isRepeatable: true,
    },
    { flags: '--prop <prop>', description: 'a prop, instead of those of the run', isRepeatable: true },
    { flags: '--header <line>', description: "'Name: value', sent to a remote server", isRepeatable: true },
    { flags: '--patience <seconds>', description: 'how long a server that does nothing is watched' },
    { flags: '--folder <folder>', description: 'folder of the new run; default: a new one in HOTCELL_HOME/runs' },
    { flags: '--offline', description: 'fetch nothing: only what is on this machine' },
    { flags: '--quiet', description: 'no progress on stderr' },
    { flags: '--json', description: 'the answer as one JSON document' },
  ],
  examples: [
    { line: 'hotcell replay latest 1f0c22ab', says: 'a finding of the newest run' },
    { line: 'hotcell replay report.json 1f0c22ab --json', says: 'of a report that came from elsewhere, for a program' },
  ],
  exits: [
    { code: '0', when: 'not reproduced: it was done again, and the world showed nothing of it' },
    { code: '1', when: 'confirmed' },
    { code: '2', when: 'there is no such run or finding, or nothing of it can be done again' },
    { code: '3', when: 'inconclusive: it did not start, or not everything was seen' },
    { code: '4', when: 'no isolation available: nothing was run' },
  ],
  input: runFlagsSchema,
  async run(flags, words, door) {
    const { runReplayCommand } = await import('../analyze/replay.ts');
    return runReplayCommand(flags, words, door);
  },
});
