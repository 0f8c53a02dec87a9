import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { bytesCount } from './fields.ts';

export const checkTools = defineLabTool({
  name: 'check_tools',
  title: 'Which tools are installed',
  description:
    'Looks which programs of the catalogue can be run where the lab has its tools, and which analysers of our own are always there.',
  input: z.strictObject({}),
  data: z.strictObject({
    summary: z.strictObject({
      total: bytesCount,
      available: bytesCount,
      missing: bytesCount,
      own_analysers: bytesCount,
    }),
    tools: z
      .array(
        z.strictObject({
          tool: z.string().max(64),
          available: z.boolean(),
          program: z.string().max(64).nullable().describe('size and date of the program'),
          install: z.string().max(256).nullable().describe('packages that bring it'),
        }),
      )
      .max(1000),
    analysers: z
      .array(z.strictObject({ id: z.string().max(64), title: z.string().max(256), depth: z.string().max(16) }))
      .max(256),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 128 * kibibyte },
  examples: [{ input: {}, says: 'what is there and what is not' }],
  async handle(_input, { open, out }) {
    const { commandsToCheck } = await import('../../../instruments/lab/catalogue/index.ts');
    open.forgetPrograms();
    const [programs, analysers] = await Promise.all([open.programs(), open.analysers.entries()]);
    const tools = commandsToCheck(open.catalogue).map(({ command, packages }) => {
      const names = [
        ...(packages.debian === undefined ? [] : [`Debian: ${packages.debian}`]),
        ...(packages.pypi === undefined ? [] : [`PyPI: ${packages.pypi}`]),
        ...(packages.npm === undefined ? [] : [`npm: ${packages.npm}`]),
        'REMnux',
      ];
      const program = programs.get(command) ?? null;
      return { tool: command, available: program !== null, program, install: names.join(', ').slice(0, 256) };
    });
    const available = tools.filter((tool) => tool.available).length;
    out.say(
      `${available} of ${tools.length} programs are installed; ${analysers.length} analysers of our own are always there.`,
    );
    return {
      summary: { total: tools.length, available, missing: tools.length - available, own_analysers: analysers.length },
      tools,
      analysers: analysers.map(({ id, title, depth }) => ({ id, title, depth })),
    };
  },
});
