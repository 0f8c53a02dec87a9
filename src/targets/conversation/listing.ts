import { isObject } from '../../base/json-shape.ts';
import { forTerminal } from '../../base/untrusted.ts';
import { textOfError } from './answer-text.ts';
import { boundValue, jsonText } from './bound-value.ts';
import type { Handshake, Listing } from './contract.ts';
import type { ConversationLimits } from './limits.ts';
import { readPrompt, readResource, readTemplate, readTool } from './listed-entries.ts';
import type { Reply } from './peer.ts';
import { Problems, shown } from './problems.ts';

/** Everything that a server says it offers, page by page, as far as the limits go. */

export type AskForPage = (method: string, params: Readonly<Record<string, unknown>>) => Promise<Reply>;

interface Pages {
  readonly entries: readonly unknown[];
  readonly raw: readonly unknown[];
}

interface Room {
  entries: number;
  bytes: number;
}

interface Walk {
  readonly method: string;
  /** Where the entries stand in a result. */
  readonly key: string;
  /** Without a declaration, a refusal is what one expects. */
  readonly isDeclared: boolean;
}

const nothing: Pages = { entries: [], raw: [] };
const longestCursor = 64 * 1024;

function describe(reply: Reply): string {
  if (reply.kind === 'error') return `an error: ${forTerminal(textOfError(reply.error, 200))}`;
  if (reply.kind === 'timeout') return 'no answer in time';
  return reply.kind === 'result' ? 'an answer that is none' : reply.because;
}

async function walkPages(
  ask: AskForPage,
  { method, key, isDeclared }: Walk,
  room: Room,
  limits: ConversationLimits,
  problems: Problems,
): Promise<Pages> {
  const entries: unknown[] = [];
  const raw: unknown[] = [];
  const cursors = new Set<string>();
  let params: Readonly<Record<string, unknown>> = {};
  for (let page = 0; page < limits.pages; page += 1) {
    const reply = await ask(method, params);
    const list = reply.kind === 'result' && isObject(reply.result) ? reply.result[key] : undefined;
    if (reply.kind !== 'result' || !isObject(reply.result) || !Array.isArray(list)) {
      if (isDeclared || reply.kind === 'result') problems.add(`${method}: ${describe(reply)}`);
      return { entries, raw };
    }
    const bytes = jsonText(reply.result).length;
    if (bytes > room.bytes) {
      problems.add(`${method}: more than the cap of ${limits.listingBytes} bytes`);
      return { entries, raw };
    }
    room.bytes -= bytes;
    raw.push(boundValue(reply.result));
    entries.push(...list.slice(0, room.entries));
    if (list.length > room.entries) problems.add(`${method}: more than ${limits.entries} entries`);
    room.entries = Math.max(0, room.entries - list.length);
    const cursor = reply.result.nextCursor;
    if (cursor === undefined || cursor === null || cursor === '' || room.entries === 0) return { entries, raw };
    if (typeof cursor !== 'string' || cursor.length > longestCursor) {
      problems.add(`${method}: a cursor that is none`);
      return { entries, raw };
    }
    if (cursors.has(cursor)) {
      problems.add(`${method}: the cursor ${shown(cursor)} came again`);
      return { entries, raw };
    }
    cursors.add(cursor);
    params = { cursor };
  }
  problems.add(`${method}: more than ${limits.pages} pages`);
  return { entries, raw };
}

function readAll<Entry>(
  entries: readonly unknown[],
  read: (entry: unknown, problems: Problems) => Entry | null,
  problems: Problems,
): readonly Entry[] {
  return entries.map((entry) => read(entry, problems)).filter((entry) => entry !== null);
}

function noteTwins(kind: string, names: readonly string[], problems: Problems): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) problems.add(`two ${kind}s are called ${shown(name)}`);
    seen.add(name);
  }
}

export async function listAll(
  ask: AskForPage,
  handshake: Handshake | null,
  limits: ConversationLimits,
): Promise<Listing> {
  const problems = new Problems(limits.problems);
  const room: Room = { entries: limits.entries, bytes: limits.listingBytes };
  const has = (capability: string): boolean => Object.hasOwn(handshake?.capabilities ?? {}, capability);
  const walk = (method: string, key: string, isDeclared: boolean): Promise<Pages> =>
    walkPages(ask, { method, key, isDeclared }, room, limits, problems);

  // Tools are asked for in any case: a server that forgets to declare them has them all the same.
  const tools = await walk('tools/list', 'tools', has('tools'));
  if (!has('tools') && tools.entries.length > 0) problems.add('tools/list: tools that were not declared');
  const prompts = has('prompts') ? await walk('prompts/list', 'prompts', true) : nothing;
  const resources = has('resources') ? await walk('resources/list', 'resources', true) : nothing;
  // Many servers with resources have never heard of templates.
  const templates = has('resources') ? await walk('resources/templates/list', 'resourceTemplates', false) : nothing;

  const listedTools = readAll(tools.entries, readTool, problems);
  const listedPrompts = readAll(prompts.entries, readPrompt, problems);
  noteTwins(
    'tool',
    listedTools.map(({ name }) => name),
    problems,
  );
  noteTwins(
    'prompt',
    listedPrompts.map(({ name }) => name),
    problems,
  );
  return {
    tools: listedTools,
    prompts: listedPrompts,
    resources: [
      ...readAll(resources.entries, readResource, problems),
      ...readAll(templates.entries, readTemplate, problems),
    ],
    ...(handshake?.instructions === undefined ? {} : { instructions: handshake.instructions }),
    problems: problems.list,
    raw: [tools, prompts, resources, templates].flatMap(({ raw }) => raw),
  };
}
