import type { CallToolResult, McpServer, StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { describeError, isKnownError } from '../../base/errors.ts';
import type { ToolAnswer } from '../tools/answer.ts';
import { callTool } from '../tools/call-tool.ts';
import type { ToolDefinition } from '../tools/contract.ts';
import type { Serving } from './build-server.ts';
import { joinSignals } from './join-signals.ts';
import { reportProgress } from './progress.ts';
import { publishSchema } from './published-schema.ts';

/** A definition with what clients are told about it. */
export interface PublishedTool {
  readonly definition: ToolDefinition;
  readonly description: string;
  readonly input: StandardSchemaWithJSON<unknown, unknown>;
  readonly output: StandardSchemaWithJSON<unknown, unknown>;
  readonly annotations: ToolAnnotations;
}

export function publishTool(definition: ToolDefinition, obstacle?: string): PublishedTool {
  const { readOnly, destructive, idempotent, openWorld } = definition.annotations;
  return {
    definition,
    description:
      obstacle === undefined
        ? definition.description
        : `Not available on this machine: ${obstacle}. ${definition.description}`,
    input: publishSchema(definition.input, 'input'),
    output: publishSchema(definition.output, 'output'),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

function toResult({ text, structured, isError }: ToolAnswer): CallToolResult {
  const content = [{ type: 'text' as const, text }];
  return isError ? { content, isError } : { content, structuredContent: { ...structured } };
}

function toFailure(error: unknown): CallToolResult {
  const text = isKnownError(error) ? describeError(error) : 'internal error of Hotcell';
  return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true };
}

export function registerTool(server: McpServer, tool: PublishedTool, serving: Serving, client: string): void {
  const { definition, description, input, output, annotations } = tool;
  const { name, title } = definition;
  const { wishes, gate, stop } = serving;
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (given, context) => {
    const { _meta: meta, signal: cancelled, notify } = context.mcpReq;
    const token = meta?.progressToken;
    const reporter = reportProgress(async (params) => {
      if (token === undefined) return;
      await notify({ method: 'notifications/progress', params: { progressToken: token, ...params } });
    });
    // Whoever closes the connection cannot get the answer any more, in whichever era.
    const { signal, release } = joinSignals([cancelled, context.http?.req?.signal, stop]);
    const startedAt = performance.now();
    let isError = true;
    try {
      const host = { ...wishes.context, signal, progress: reporter.report };
      const result = toResult(await gate.run(client, signal, () => callTool(definition, given, host)));
      isError = result.isError === true;
      return result;
    } catch (error) {
      return toFailure(error);
    } finally {
      reporter.stop();
      release();
      const ms = Math.round(performance.now() - startedAt);
      wishes.log.info('call', { tool: name, client, ms, isError, isCancelled: signal.aborted });
    }
  });
}
