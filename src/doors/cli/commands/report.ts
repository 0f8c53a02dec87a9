import { z } from 'zod';
import { defineCommand } from '../definition.ts';

export const report = defineCommand({
  name: 'report',
  summary: 'show a run again, as text, as a page or in another format',
  description: [
    'Show a run again, from its report.json; nothing is run.',
    'A run is its folder, its report.json, its name in HOTCELL_HOME/runs, or latest.',
  ].join('\n'),
  arguments: [{ name: '<run>', description: 'folder, report.json, name of a run, or latest' }],
  options: [
    { flags: '--format <format>', description: 'json, sarif, cyclonedx, markdown or html on stdout instead of text' },
    { flags: '-o, --output <file>', description: 'write a file; its ending picks the format', isRepeatable: true },
    { flags: '--open', description: 'open the page of the run; where there is no desktop, print its path' },
    { flags: '--details', description: 'every finding with all of its proof' },
  ],
  examples: [
    { line: 'hotcell report latest', says: 'the newest run, as text' },
    { line: 'hotcell report latest --open', says: 'as a page' },
    { line: 'hotcell report run/ --format markdown', says: 'for a pull request' },
    { line: 'hotcell report report.json -o report.sarif', says: 'for code scanning' },
  ],
  exits: [
    { code: '0', when: 'shown, whatever it says' },
    { code: '2', when: 'there is no such run, or the file is no report' },
  ],
  input: z.object({
    format: z.string().optional(),
    output: z.array(z.string()).default([]),
    open: z.boolean().default(false),
    details: z.boolean().default(false),
  }),
  async run(flags, words, door) {
    const { runReportCommand } = await import('../analyze/report.ts');
    return runReportCommand(flags, words, door);
  },
});
