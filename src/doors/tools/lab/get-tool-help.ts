import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { kibibyte, minuteMs, secondMs } from '../../../base/limits.ts';
import { visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { untrustedText } from './fields.ts';

const helpTimeoutMs = 10 * secondMs;
const mostHelp = 40 * kibibyte;

export const getToolHelp = defineLabTool({
  name: 'get_tool_help',
  title: 'How a tool is used',
  description:
    'Tells what the catalogue knows of a tool, and what the program itself prints about its use, where it is installed.',
  input: z.strictObject({
    tool: z
      .string()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/, 'expected the name of a program')
      .max(64)
      .describe('id or command of a tool'),
  }),
  data: z.strictObject({
    tool: z.string().max(64),
    title: z.string().max(512).nullable(),
    invocation: z.string().max(2048).nullable(),
    advisory: z.string().max(1024).nullable(),
    installed: z.boolean(),
    version: untrustedText(2048).nullable().describe('what it prints when asked for its version'),
    when_missing: z.string().max(1024).nullable(),
    help: untrustedText(16 * mostHelp),
    exit_code: z.number().int().min(0).max(255).nullable(),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 700 * kibibyte },
  examples: [{ input: { tool: 'exiftool' }, says: 'what it does and how it is called' }],
  async handle({ tool }, { open, signal, out }) {
    const { findTool } = await import('../../../instruments/lab/catalogue/index.ts');
    const entry = findTool(open.catalogue, tool);
    const command = entry?.command ?? tool;
    const isThere = (await open.workbench.available([command], signal)).has(command);
    if (!isThere && entry === undefined) {
      throw new UsageError(`there is no tool ${tool}, neither in the catalogue nor installed`, {
        code: 'NOT_FOUND',
        hint: 'check_tools lists what there is',
      });
    }
    let help = '';
    let code: number | null = null;
    let version: string | null = null;
    if (isThere) {
      await using desk = await open.workbench.open([], signal);
      for (const words of entry === undefined ? [['--help'], ['-h']] : [entry.helpArguments, ['--help'], ['-h']]) {
        const ended = await desk.run({ argv: [command, ...words] }, { timeoutMs: helpTimeoutMs, signal });
        const text = Buffer.concat([ended.stdout, ended.stderr]).toString('utf8').trim();
        code = ended.code;
        if (text.length > help.length) help = text;
        if (ended.code === 0 && text !== '') break;
      }
      if (entry?.versionArguments !== undefined) {
        const asked = { argv: [command, ...entry.versionArguments] };
        const { stdout, stderr } = await desk.run(asked, { timeoutMs: helpTimeoutMs, signal });
        version = Buffer.concat([stdout, stderr]).toString('utf8').trim().split('\n', 1)[0] || null;
      }
    }
    const invocation = entry === undefined ? null : [entry.command, ...entry.argv].join(' ');
    out.say(entry === undefined ? `${tool} is installed and not in the catalogue.` : `${entry.title}. ${invocation}`);
    if (help !== '') out.quote({ label: `what ${command} prints about itself`, text: help.slice(0, mostHelp) });
    return {
      tool: command,
      title: entry?.title ?? null,
      invocation,
      advisory: entry?.advisory ?? null,
      installed: isThere,
      version: version === null ? null : visibleText(version, 128),
      when_missing: isThere ? null : (entry?.whenMissing ?? null),
      help: visibleText(help, mostHelp),
      exit_code: code,
    };
  },
});
