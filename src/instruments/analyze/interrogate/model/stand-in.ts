import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';

/** A stand-in for the HTTP API of a model, on loopback, for tests. It keeps what it was sent. */

export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = (response: http.ServerResponse, received: Received, number: number) => void;

export class StandIn {
  readonly received: Received[] = [];
  readonly #server: http.Server;

  private constructor(reply: Reply) {
    this.#server = http.createServer((request, response) => {
      const pieces: Buffer[] = [];
      response.on('error', () => undefined);
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const received = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(pieces).toString() };
        this.received.push(received);
        reply(response, received, this.received.length);
      });
    });
  }

  static async listen(reply: Reply): Promise<StandIn> {
    const standIn = new StandIn(reply);
    const { promise, resolve } = Promise.withResolvers<void>();
    standIn.#server.listen(0, '127.0.0.1', resolve);
    await promise;
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

export function sendJson(response: http.ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** As the Messages API answers with a tool that it was told to use. */
export function messageWith(input: unknown): object {
  const content = [{ type: 'tool_use', id: 'x', name: 'propose', input }];
  return { type: 'message', content, stop_reason: 'tool_use', usage: { input_tokens: 10, output_tokens: 10 } };
}

/** As chat completions answer. */
export function chatWith(content: string, finish = 'stop'): object {
  return { choices: [{ message: { role: 'assistant', content }, finish_reason: finish }], usage: { total_tokens: 20 } };
}

export const readTool: ListedTool = {
  name: 'read_note',
  title: 'TITLE-NOT-SHOWN',
  description: 'Reads a note.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
  },
  outputSchema: { type: 'object', description: 'OUTPUT-NOT-SHOWN' },
  annotations: { note: 'ANNOTATION-NOT-SHOWN' },
};

export const runTool: ListedTool = {
  name: 'convert',
  description: 'Converts a document.',
  inputSchema: { type: 'object', properties: { format: { type: 'string' } } },
};

export const goodProposals = {
  proposals: [
    {
      tool: 'read_note',
      honest: [{ path: '{{file}}', lines: 3 }],
      hostile: [{ parameter: 'path', class: 'path-traversal', value: './x/{{up}}{{outside_file}}' }],
    },
  ],
};
