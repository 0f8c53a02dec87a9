import type { z } from 'zod';
import type { ToolDefinition } from './contract.ts';

/** Ties the schemas of a tool to the types that its handler sees. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition {
  return definition as unknown as ToolDefinition;
}
