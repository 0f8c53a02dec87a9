import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { PromptDefinition } from '../tools/contract.ts';

const longestArgument = 4096;

/** A definition with the schema of its arguments: making a schema costs more than all else of a server. */
export interface PublishedPrompt {
  readonly definition: PromptDefinition;
  readonly schema: z.ZodObject<Record<string, z.ZodType<string | undefined>>> | null;
}

export function publishPrompt(definition: PromptDefinition): PublishedPrompt {
  if (definition.arguments.length === 0) return { definition, schema: null };
  const shape = definition.arguments.map(({ name, description, isRequired }) => {
    const text = z.string().max(longestArgument).describe(description);
    return [name, isRequired ? text : text.optional()] as const;
  });
  return { definition, schema: z.object(Object.fromEntries(shape)) };
}

export function registerPrompt(server: McpServer, { definition, schema }: PublishedPrompt): void {
  const { name, title, description } = definition;
  const render = (input: Readonly<Record<string, string>>) => ({
    description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: definition.render(input) } }],
  });
  if (schema === null) {
    server.registerPrompt(name, { title, description }, () => render({}));
    return;
  }
  server.registerPrompt(name, { title, description, argsSchema: schema }, (input) => {
    const given = Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
    return render(Object.fromEntries(given));
  });
}
