import { z } from 'zod';
import { severities } from '../../../base/finding-schema.ts';
import type { ScannerDefinition } from '../../../instruments/probe/contract.ts';
import { scanners } from '../../../instruments/probe/scanners/index.ts';
import { type CommandDefinition, defineCommand, type OptionDefinition } from '../definition.ts';
import { egressCommand } from '../probe/egress-command.ts';
import { probeFlagDefinitions, probeFlagShape, scannerFlags } from '../probe/flags.ts';
import { quoteWord, wordsOf } from '../tool/help.ts';
import { mcp, serveShape } from './mcp.ts';

const failOnFlag: OptionDefinition = {
  flags: '--fail-on <severity>',
  description: `exit 1 from here on: ${severities.join(', ')}; default high`,
};

const scanExits = [
  { code: '0', when: 'it came to its end, and nothing is as bad as --fail-on' },
  { code: '1', when: 'a finding is as bad as --fail-on' },
  { code: '2', when: 'an argument is refused, is out of scope, or there is no scope' },
  { code: '3', when: 'it did not come to its end: time, or an error of the program' },
  { code: '4', when: 'no box or no gate can be made here' },
  { code: '5', when: 'the program of the scanner is not installed' },
  { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: it was ended, and what it had found is kept' },
];

function exampleOf(scanner: ScannerDefinition, input: Readonly<Record<string, unknown>>): string {
  const others = Object.entries(input).filter(([field]) => field !== scanner.positional);
  const flags = others.flatMap(wordsOf).map(quoteWord);
  const target = quoteWord(String(input[scanner.positional] ?? ''));
  return ['hotcell probe', scanner.command, target, ...flags, '--scope scope.json'].join(' ');
}

function scannerCommand(scanner: ScannerDefinition): CommandDefinition {
  const settings = z.object({
    ...probeFlagShape,
    json: z.boolean().default(false),
    failOn: z.string().optional(),
  });
  return {
    name: scanner.command,
    summary: scanner.title.charAt(0).toLowerCase() + scanner.title.slice(1),
    description: scanner.description,
    arguments: [
      { name: `<${scanner.positional}>`, description: scanner.input.shape[scanner.positional]?.description ?? '' },
    ],
    options: [
      ...scannerFlags(scanner),
      failOnFlag,
      { flags: '--json', description: 'the result as JSON on stdout' },
      ...probeFlagDefinitions,
    ],
    examples: scanner.examples.map(({ input, says }) => ({ line: exampleOf(scanner, input), says })),
    exits: scanExits,
    async run(options, words, door) {
      const { runScannerCommand } = await import('../probe/scan.ts');
      return runScannerCommand(scanner, settings.parse(options), options, words, door);
    },
  };
}

const reportFlags: readonly OptionDefinition[] = [
  { flags: '--format <format>', description: 'json, sarif, markdown or html on stdout instead of text' },
  { flags: '-o, --output <file>', description: 'write a file; its ending picks the format', isRepeatable: true },
  { flags: '--details', description: 'every finding with all of its proof' },
];

const reportShape = {
  format: z.string().optional(),
  output: z.array(z.string()).default([]),
  details: z.boolean().default(false),
};

const run = defineCommand({
  name: 'run',
  summary: 'the whole sequence over a scope, with a plan shown first',
  description: [
    'Shows the plan, then runs it: ports, and on those that answer HTTP the scanners for web APIs, each with what those before it found.',
    'Scanners that are not installed are left out, and the plan says so.',
  ].join('\n'),
  options: [
    { flags: '--plan', description: 'show the plan and end' },
    ...reportFlags,
    failOnFlag,
    ...probeFlagDefinitions,
  ],
  examples: [
    { line: 'hotcell probe run --scope scope.json --plan', says: 'what would be done' },
    {
      line: 'hotcell probe run --scope scope.json -o report.html -o report.sarif',
      says: 'all of it, with two reports',
    },
  ],
  exits: scanExits,
  input: z.object({
    ...probeFlagShape,
    ...reportShape,
    plan: z.boolean().default(false),
    failOn: z.string().optional(),
  }),
  async run(wishes, _words, door) {
    const { runProbeRun } = await import('../probe/run.ts');
    return runProbeRun(wishes, door);
  },
});

const report = defineCommand({
  name: 'report',
  summary: 'scans that were kept, as text, SARIF or a page',
  arguments: [{ name: '[scans...]', description: 'ids of scans; default: the latest' }],
  options: [
    { flags: '--list', description: 'the scans that are kept' },
    { flags: '--all', description: 'all of them in one report' },
    ...reportFlags,
  ],
  examples: [
    { line: 'hotcell probe report --list', says: 'what there is' },
    { line: 'hotcell probe report --all -o report.sarif', says: 'everything, for code scanning' },
  ],
  exits: [
    { code: '0', when: 'shown, whatever it says' },
    { code: '2', when: 'there is no such scan' },
  ],
  input: z.object({ ...reportShape, list: z.boolean().default(false), all: z.boolean().default(false) }),
  async run(wishes, words, door) {
    const { runProbeReport } = await import('../probe/report.ts');
    return runProbeReport(wishes, words, door);
  },
});

const scope = defineCommand({
  name: 'scope',
  summary: 'check a scope file and show what it allows',
  options: [{ flags: '--json', description: 'as JSON on stdout' }, ...probeFlagDefinitions],
  examples: [{ line: 'hotcell probe scope --scope scope.json', says: 'with pinned addresses and what is installed' }],
  exits: [
    { code: '0', when: 'it is a scope, and it holds now' },
    { code: '2', when: 'it is not, or a name in it cannot be resolved' },
    { code: '3', when: 'it is one that does not hold now: not yet, no longer, or not at this hour' },
  ],
  input: z.object({ ...probeFlagShape, json: z.boolean().default(false) }),
  async run(wishes, _words, door) {
    const { runProbeScope } = await import('../probe/scope.ts');
    return runProbeScope(wishes, door);
  },
});

const serve = defineCommand({
  name: 'probe',
  summary: 'API scanning within a scope: serve its tools to agents, or scan',
  description: [
    'Scanners with closed arguments: nothing can be aimed outside the scope file, neither by an argument nor on the wire.',
    'Without a subcommand it serves the scanners to AI agents, as hotcell mcp --tools probe does.',
  ].join('\n'),
  options: [...probeFlagDefinitions, ...(mcp.options ?? []).filter(({ flags }) => !flags.startsWith('--tools '))],
  examples: [
    { line: 'hotcell probe nmap 127.0.0.1 --ports 80 --scope scope.json', says: 'one scan' },
    { line: 'hotcell probe run --scope scope.json', says: 'everything that fits, after a plan' },
    { line: 'hotcell probe --scope scope.json', says: 'what a client starts: the scanners as tools' },
    { line: 'hotcell probe report --all -o report.html', says: 'what was found, as a page' },
  ],
  exits: [
    { code: '0', when: 'the client has closed its end, or the settings were printed' },
    { code: '2', when: 'the command line or the scope cannot be understood' },
    { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: everything that ran was ended' },
  ],
  input: z.object({ ...probeFlagShape, ...serveShape }),
  async run(wishes, _words, door) {
    const { runMcpCommand } = await import('../mcp/run.ts');
    const { scope: file, networkLayer } = wishes;
    const flags = { scope: file, networkLayer };
    return runMcpCommand({ ...wishes, tools: 'probe' }, door, { instrument: 'probe', flags });
  },
});

export const probe: CommandDefinition = {
  ...serve,
  subcommands: [...scanners.map(scannerCommand), run, report, scope, egressCommand],
};
