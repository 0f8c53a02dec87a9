import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { TargetError } from '../../../src/base/errors.ts';
import { kibibyte, secondMs } from '../../../src/base/limits.ts';
import type { ToolContext, ToolDefinition, Toolset } from '../../../src/doors/tools/contract.ts';
import { defineTool } from '../../../src/doors/tools/define-tool.ts';

/** What the conformance suite calls by name, as far as our own definitions can say it. */

type Empty = Record<string, never>;

function fixture(name: string, handle: (input: Empty, context: ToolContext) => Promise<Empty>): ToolDefinition {
  return defineTool({
    name,
    title: name,
    description: `${name} of the conformance suite.`,
    toolset: 'analyze',
    input: z.object({}),
    output: z.object({}),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    limits: { timeoutMs: 60 * secondMs, outputBytes: 64 * kibibyte },
    examples: [],
    handle,
  });
}

const simpleText = fixture('test_simple_text', async (_, { out }) => {
  out.say('This is a simple text response for testing.');
  return {};
});

const errorHandling = fixture('test_error_handling', async () => {
  throw new TargetError('This tool intentionally returns an error for testing');
});

const withProgress = fixture('test_tool_with_progress', async (_, { out, progress }) => {
  for (const share of [0, 0.5, 1]) {
    progress({ phase: 'testing', share });
    await sleep(50);
  }
  out.say('Done.');
  return {};
});

export const conformanceToolset: Toolset = {
  id: 'analyze',
  title: 'Conformance',
  tools: [simpleText, errorHandling, withProgress],
  prompts: [
    {
      name: 'test_simple_prompt',
      title: 'Simple',
      description: 'A simple prompt.',
      toolset: 'analyze',
      arguments: [],
      render: () => 'This is a simple prompt for testing.',
    },
    {
      name: 'test_prompt_with_arguments',
      title: 'With arguments',
      description: 'A prompt with arguments.',
      toolset: 'analyze',
      arguments: [
        { name: 'arg1', description: 'First test argument', isRequired: true },
        { name: 'arg2', description: 'Second test argument', isRequired: true },
      ],
      render: ({ arg1 = '', arg2 = '' }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
  ],
  resources: [
    {
      name: 'static-text',
      title: 'Static text',
      description: 'A text.',
      toolset: 'analyze',
      template: 'test://static-text',
      mimeType: 'text/plain',
      list: async () => [],
      read: async () => ({ text: 'This is the content of the static text resource.' }),
    },
    {
      name: 'template',
      title: 'Template',
      description: 'A text by number.',
      toolset: 'analyze',
      template: 'test://template/{id}/data',
      mimeType: 'application/json',
      list: async () => [],
      read: async ({ id = '' }) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
    },
  ],
};
