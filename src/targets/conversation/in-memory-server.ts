import { PassThrough } from 'node:stream';
import type { DriveOptions } from './driven-conversation.ts';
import { openStdioConversation } from './stdio.ts';
import type { StdioEnds } from './stdio-wire.ts';

/** A server in memory, for conversations over streams: the handler decides what it says to what it hears. */

export interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface Server {
  /** Writes to the client as it is. */
  say(text: string | Uint8Array): void;
  answer(id: number | string | undefined, result: unknown): void;
  end(): void;
}

export type Handler = (request: Request, server: Server) => void;

export const welcome = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'test server', version: '1.2.3' },
  instructions: 'be kind',
};

export function openInMemory(
  handler: Handler,
  options: Partial<DriveOptions> = {},
  framing: 'lines' | 'content-length' = 'lines',
) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const heard: Request[] = [];
  const notices: { kind: string; content: unknown }[] = [];
  const passed = { 'to-target': '', 'from-target': '' };
  const tap: StdioEnds['tap'] = {
    feed(direction, bytes) {
      passed[direction] += Buffer.from(bytes).toString('latin1');
    },
  };
  const server: Server = {
    say: (text) => void stdout.write(text),
    answer: (id, result) => void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`),
    end: () => void stdout.end(),
  };
  const take = (text: string): void => {
    const request = JSON.parse(text) as Request;
    heard.push(request);
    handler(request, server);
  };
  stdin.on('end', () => stdout.end());
  let unread = '';
  stdin.on('data', (chunk: Buffer) => {
    unread += chunk.toString('utf8');
    const pattern = framing === 'lines' ? /^(.*)\n/ : /Content-Length: (\d+)\r\n\r\n/;
    for (let found = pattern.exec(unread); found !== null; found = pattern.exec(unread)) {
      const from = found.index + found[0].length;
      const text = framing === 'lines' ? String(found[1]) : unread.slice(from, from + Number(found[1]));
      unread = unread.slice(framing === 'lines' ? from : from + Number(found[1]));
      if (text.startsWith('{')) take(text);
    }
  });
  const conversation = openStdioConversation(
    {
      stdin,
      stdout,
      tap,
    },
    {
      identity: { name: 'claude-desktop', version: '1.0.0' },
      timeoutMs: 400,
      onMessage: (message) => void notices.push(message),
      ...options,
      limits: { settleMs: 30, closeMs: 100, ...options.limits },
    },
  );
  return { conversation, heard, notices, passed, stdin, stdout };
}

/** A server that is fine until a tool is called. */
export const until =
  (onCall: Handler): Handler =>
  (request, server) => {
    if (request.method === 'initialize') server.answer(request.id, welcome);
    else if (request.method === 'tools/call') onCall(request, server);
  };

export const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
export const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
export const answerOf = (id: unknown, words = 'fine') => ({ jsonrpc: '2.0', id, result: text(words) });
export const frameOf = (value: unknown): string => {
  const body = JSON.stringify(value);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
