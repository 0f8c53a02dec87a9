import { McpServer } from '@modelcontextprotocol/server';
import type { ToolHost } from '../tools/call-tool.ts';
import type { Toolset } from '../tools/contract.ts';
import { CallGate } from './call-gate.ts';
import { writeInstructions } from './instructions.ts';
import type { Log } from './log.ts';
import { type PublishedPrompt, publishPrompt, registerPrompt } from './register-prompt.ts';
import { registerResource } from './register-resource.ts';
import { type PublishedTool, publishTool, registerTool } from './register-tool.ts';
import { selectTools, type ToolChoice } from './select-tools.ts';

/** What every call gets; progress and the client's cancellation come with the call itself. */
export type ServerContext = Omit<ToolHost, 'signal' | 'progress'>;

export interface ServerWishes extends ToolChoice {
  readonly toolsets: readonly Toolset[];
  /** Tools that are listed although they cannot work here, with the reason. */
  readonly unavailable?: ReadonlyMap<string, string>;
  readonly context: ServerContext;
  readonly version: string;
  readonly log: Log;
  readonly gate?: CallGate;
  /** Ends every call that is under way. */
  readonly stop?: AbortSignal;
}

/** What a server that lives for one request has to know. Without it, it knows everything. */
export interface ServerNeed {
  readonly method: string;
  readonly name: string | null;
}

/** The client is who calls, as far as fairness goes: an address, or the one client of a pipe. */
export type ServerFactory = (client: string, need?: ServerNeed) => McpServer;

/** What all servers of one process share. */
export interface Serving {
  readonly wishes: ServerWishes;
  readonly gate: CallGate;
  readonly stop: AbortSignal;
}

/** Arguments of our tools are small; a request of a million elements is not one of them. */
const mostInputElements = 10_000;

function isCalled({ definition }: PublishedTool, need: ServerNeed | undefined): boolean {
  return need?.method !== 'tools/call' || definition.name === need.name;
}

/**
 * Reads the definitions once and makes servers from them: over HTTP one for each request, so making one has to be cheap.
 * @throws UsageError for tools that are not there.
 */
export function buildServer(wishes: ServerWishes): ServerFactory {
  const selection = selectTools(wishes.toolsets, wishes);
  const instructions = writeInstructions(selection);
  const tools: readonly PublishedTool[] = selection.tools.map((tool) =>
    publishTool(tool, wishes.unavailable?.get(tool.name)),
  );
  const prompts: readonly PublishedPrompt[] = selection.prompts.map(publishPrompt);
  const serving: Serving = {
    wishes,
    gate: wishes.gate ?? new CallGate(),
    stop: wishes.stop ?? new AbortController().signal,
  };
  // The lists never change while a server runs, so nobody has to listen for that.
  const capabilities = {
    tools: { listChanged: false },
    ...(selection.prompts.length > 0 ? { prompts: { listChanged: false } } : {}),
    ...(selection.resources.length > 0 ? { resources: { listChanged: false } } : {}),
  };
  return (client, need) => {
    const server = new McpServer(
      { name: 'hotcell', title: 'Hotcell', version: wishes.version },
      { instructions, capabilities, maxToolInputElements: mostInputElements },
    );
    const isNeeded = (kind: string): boolean => need === undefined || need.method.startsWith(`${kind}/`);
    if (isNeeded('tools')) {
      for (const tool of tools) if (isCalled(tool, need)) registerTool(server, tool, serving, client);
    }
    if (isNeeded('prompts')) for (const prompt of prompts) registerPrompt(server, prompt);
    if (isNeeded('resources')) {
      for (const resource of selection.resources) registerResource(server, resource, wishes.context);
    }
    return server;
  };
}
