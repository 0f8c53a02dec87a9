import { z } from 'zod';
import { depths } from '../../../instruments/lab/contract.ts';
import { reportFormats } from '../../../instruments/lab/report/index.ts';
import { type CommandDefinition, defineCommand } from '../definition.ts';
import { hidePassword, labFlagDefinitions, labFlagShape, toLabFlags } from '../lab/flags.ts';
import { mcp, serveShape } from './mcp.ts';

const analyze = defineCommand({
  name: 'analyze',
  summary: 'look at files and print what they are',
  description: [
    'Looks at each file with every analyser for its kind and with the tools that are installed, and prints a report without a verdict: what it is, what it can do and how that is known, indicators, what was not looked at.',
    'The file is never changed. Tools of this machine run in boxes.',
  ].join('\n'),
  arguments: [{ name: '<files...>', description: 'files of this machine, or names of samples' }],
  options: [
    { flags: '--depth <depth>', description: 'quick, standard or deep; default standard' },
    { flags: '--format <format>', description: 'terminal, json, markdown, html or stix; default terminal' },
    { flags: '--output <path>', description: 'write there; a folder for several files' },
    { flags: '--zip-password <password>', description: 'tried on what is encrypted', isRepeatable: true },
    { flags: '--detonate', description: 'run ELF programs and scripts in a cell of gVisor too' },
    { flags: '--detonate-seconds <number>', description: 'how long; default 20' },
    { flags: '--tool-timeout <seconds>', description: 'a lower limit for each external tool' },
    { flags: '--fresh', description: 'do not take a result that is kept' },
    ...labFlagDefinitions,
  ],
  examples: [
    { line: 'hotcell lab analyze invoice.doc', says: 'everything of the standard depth, on the terminal' },
    { line: 'hotcell lab analyze --depth quick --format html --output report.html sample.exe', says: 'a page' },
    { line: 'hotcell lab analyze --detonate --detonate-seconds 60 dropper.sh', says: 'and what it does when it runs' },
    { line: 'hotcell lab analyze --mode docker --container remnux sample.exe', says: 'with the tools of REMnux' },
  ],
  exits: [
    { code: '0', when: 'every file was looked at; a report holds no verdict' },
    { code: '2', when: 'the command line cannot be understood, or there is no such file' },
    { code: '3', when: 'something of it is missing: an analyser or a tool did not come to its end' },
    { code: '4', when: 'no box can be made here for tools, or no cell for a sample' },
  ],
  input: z.object({
    depth: z.enum(depths).default('standard'),
    format: z.enum(reportFormats).default('terminal'),
    output: z.string().optional(),
    zipPassword: z.array(z.string().min(1).max(256)).default([]),
    detonate: z.boolean().default(false),
    detonateSeconds: z.coerce.number().int().min(1).max(600).default(20),
    toolTimeout: z.coerce.number().min(1).max(3600).optional(),
    fresh: z.boolean().default(false),
    ...labFlagShape,
  }),
  async run(wishes, words, door) {
    const { runLabAnalyze } = await import('../lab/analyze.ts');
    const flags = toLabFlags(wishes);
    hidePassword(flags);
    return runLabAnalyze(wishes, flags, words, door);
  },
});

const serve = defineCommand({
  name: 'lab',
  summary: 'malware analysis: serve its tools to agents, or look at files',
  description: [
    'Without a subcommand it serves the tools of the lab to AI agents, as hotcell mcp --tools lab does: on this machine, in a container, or on a machine over ssh, such as REMnux.',
    'Samples are read and never changed. Each flag has a variable: --samples-dir is HOTCELL_LAB_SAMPLES_DIR.',
  ].join('\n'),
  // It serves one toolset: there is none to choose.
  options: [...labFlagDefinitions, ...(mcp.options ?? []).filter(({ flags }) => !flags.startsWith('--tools '))],
  examples: [
    { line: 'hotcell lab', says: 'what a client starts: tools of this machine, each in a box' },
    { line: 'hotcell lab --mode docker --container remnux', says: 'tools of a container' },
    { line: 'hotcell lab --mode ssh --host 192.168.56.10 --user remnux --accept-new', says: 'tools of a machine' },
    { line: 'MCP_TOKEN=… hotcell lab --transport http --http-host 0.0.0.0', says: 'for agents on other machines' },
    { line: 'hotcell lab analyze sample.exe', says: 'a report for people' },
  ],
  exits: [
    { code: '0', when: 'the client has closed its end, or the settings were printed' },
    { code: '2', when: 'the command line cannot be understood, or the address would be open to strangers' },
    { code: '129, 130, 143', when: 'SIGHUP, SIGINT, SIGTERM: everything that ran was ended' },
  ],
  input: z.object({ ...labFlagShape, ...serveShape }),
  async run(wishes, _words, door) {
    const { runMcpCommand } = await import('../mcp/run.ts');
    const flags = toLabFlags(wishes);
    hidePassword(flags);
    return runMcpCommand({ ...wishes, tools: 'lab' }, door, { instrument: 'lab', flags });
  },
});

export const lab: CommandDefinition = { ...serve, subcommands: [analyze] };
