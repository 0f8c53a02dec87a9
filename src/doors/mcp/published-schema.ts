import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * A schema as clients see it. Values are checked in one place, where a tool is called, for every door alike; here they
 * only pass. It is converted when it is first asked for and once only: a server over HTTP is made anew for each request.
 */
export function publishSchema(schema: z.ZodObject, io: 'input' | 'output'): StandardSchemaWithJSON<unknown, unknown> {
  let converted: Record<string, unknown> | undefined;
  const convert = (): Record<string, unknown> => {
    converted ??= z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Record<string, unknown>;
    return converted;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'hotcell',
      validate: (value) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  };
}
