import { z } from 'zod';
import type { Lab } from '../../../instruments/lab/lab.ts';
import type { ToolContext, ToolDefinition } from '../contract.ts';
import { defineTool } from '../define-tool.ts';

/** Tools of the lab answer in one envelope, which says where they worked and what held the programs that ran there. */

export interface LabToolContext extends ToolContext {
  readonly open: Lab;
}

export interface LabTool<Input extends z.ZodObject, Data extends z.ZodObject>
  extends Pick<ToolDefinition<Input>, 'name' | 'title' | 'description' | 'annotations' | 'limits' | 'examples'> {
  readonly closed?: boolean;
  readonly input: Input;
  readonly data: Data;
  handle(input: z.output<Input>, context: LabToolContext): Promise<z.input<Data>>;
}

const metadata = z.strictObject({
  elapsed_ms: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  mode: z.enum(['local', 'docker', 'ssh']),
  place: z.string().max(1024),
  confinement: z.string().max(1024).describe('what holds the programs that tools run'),
});

export function defineLabTool<Input extends z.ZodObject, Data extends z.ZodObject>(
  tool: LabTool<Input, Data>,
): ToolDefinition {
  const { data, handle, ...rest } = tool;
  return defineTool({
    ...rest,
    toolset: 'lab',
    output: z.strictObject({ success: z.literal(true), tool: z.literal(tool.name), data, metadata }),
    async handle(input: z.output<Input>, context: ToolContext) {
      const started = performance.now();
      const open = await context.lab();
      const answer = await handle(input, { ...context, open });
      return {
        success: true as const,
        tool: tool.name,
        data: answer,
        metadata: {
          elapsed_ms: Math.round(performance.now() - started),
          mode: open.options.mode,
          place: open.connector.place.slice(0, 1024),
          confinement: open.workbench.confinement.words.slice(0, 1024),
        },
      } as never;
    },
  });
}
