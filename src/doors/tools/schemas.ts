import { z } from 'zod';
import type { ToolDefinition } from './contract.ts';

/** The JSON Schemas of a tool, as clients get them and as flags are made from. */

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly const?: unknown;
}

export function inputSchemaOf({ input }: Pick<ToolDefinition, 'input'>): JsonSchema {
  return z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input' }) as JsonSchema;
}

export function outputSchemaOf({ output }: Pick<ToolDefinition, 'output'>): JsonSchema {
  return z.toJSONSchema(output, { target: 'draft-2020-12', io: 'output' }) as JsonSchema;
}
