import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const events = defineCommand({
  name: 'events',
  summary: 'look at what happened in a run: its events as lines, as a process tree, or as data',
  description: [
    'Look at what happened in a run. Without options every event is one line: seconds since the first, process, what it',
    'did. Several values of one option mean any of them; several options must all hold. The last line says whether the',
    'sensors saw everything: what an incomplete one does not show may have happened all the same.',
  ].join(' '),
  arguments: [{ name: '<file|folder>', description: 'events.ndjson of a run, or the folder that holds it' }],
  options: [
    {
      flags: '--kind <kind>',
      description: 'only this kind of event, e.g. open, connect, bait-read',
      isRepeatable: true,
    },
    { flags: '--pid <number>', description: 'only what this process did', isRepeatable: true },
    { flags: '--call <id>', description: 'only while this call was in flight', isRepeatable: true },
    { flags: '--phase <phase>', description: 'only in this phase, e.g. install, start, use', isRepeatable: true },
    { flags: '--path <part>', description: 'only where a path or a URL has this in it' },
    { flags: '--source <sensor>', description: 'only what this sensor saw' },
    { flags: '--tree', description: 'the process tree, with what each process did' },
    { flags: '--json', description: 'one JSON document per line: the events as they are; with --tree, the processes' },
    { flags: '--limit <number>', description: 'at most this many events; with --tree, names per process and group' },
  ],
  examples: [
    { line: 'hotcell events run/', says: 'everything, one line per event' },
    { line: 'hotcell events run/ --tree', says: 'who started whom, and what each did' },
    { line: 'hotcell events run/ --kind bait-read --kind leak', says: 'decoys that were read, canaries that came out' },
    { line: 'hotcell events run/ --pid 4130 --path .ssh', says: 'what one process did with keys' },
    { line: 'hotcell events run/events.ndjson --kind connect,dns-query --json', says: 'for a program' },
  ],
  exits: [
    { code: '0', when: 'read to the end, whatever was found' },
    { code: '2', when: 'there is no such file, or a line of it is no event' },
  ],
  input: z.object({
    kind: z.array(z.string()).default([]),
    pid: z.array(z.string()).default([]),
    call: z.array(z.string()).default([]),
    phase: z.array(z.string()).default([]),
    path: z.string().optional(),
    source: z.string().optional(),
    tree: z.boolean().default(false),
    json: z.boolean().default(false),
    limit: z.string().optional(),
  }),
  async run(wishes, words, door) {
    const { runEventsCommand } = await import('../events/run.ts');
    return runEventsCommand(wishes, words, door);
  },
});
