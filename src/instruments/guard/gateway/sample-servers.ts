import { PassThrough } from 'node:stream';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import type { Gateway, GatewayOptions, GatewayServer } from './contract.ts';
import { openGateway } from './open-gateway.ts';

/** Servers in memory, and a client that writes and reads lines, for trying the gateway without a process. */

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Side {
  send(message: object): void;
  /** As it is. */
  write(text: string): void;
  end(): void;
  readonly heard: readonly Message[];
}

export type OnMessage = (message: Message, side: Side) => void;

function readLines(stream: PassThrough, take: (message: Message) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') take(JSON.parse(line) as Message);
  });
}

export interface SampleServer extends GatewayServer {
  readonly side: Side;
}

export function sampleServer(name: string, onMessage: OnMessage): SampleServer {
  const heard: Message[] = [];
  const ended = Promise.withResolvers<{ reason: string }>();
  let output: { write(text: string): void; end(): void } | null = null;
  const side: Side = {
    heard,
    send: (message) => output?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    write: (text) => output?.write(text),
    end: () => {
      output?.end();
      ended.resolve({ reason: 'server-ended' });
    },
  };
  return {
    name,
    side,
    open(client) {
      output = client.output;
      readLines(client.input as PassThrough, (message) => {
        heard.push(message);
        onMessage(message, side);
      });
      client.input.once('end', () => side.end());
      return Promise.resolve({
        ended: ended.promise,
        close: () => {
          side.end();
          return Promise.resolve();
        },
      });
    },
  };
}

export interface Offer {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly capabilities?: object;
  readonly instructions?: string;
  /** What a tool answers. */
  readonly onCall?: OnMessage;
  /** Anything else. */
  readonly onOther?: OnMessage;
}

export const textResult = (text: string) => ({ content: [{ type: 'text', text }] });

/** A server of the years before 2026 that does what it should. */
export function honestServer(name: string, offer: Offer): SampleServer {
  const { tools = [], prompts = [], resources = [] } = offer;
  const capabilities = {
    tools: {},
    prompts: {},
    resources: { subscribe: true },
    logging: {},
    completions: {},
    ...offer.capabilities,
  };
  const results: Readonly<Record<string, (message: Message) => object>> = {
    initialize: ({ params }) => ({
      protocolVersion: params?.protocolVersion,
      capabilities,
      serverInfo: { name, version: '1' },
      ...(offer.instructions === undefined ? {} : { instructions: offer.instructions }),
    }),
    'tools/list': () => ({ tools: tools.map((tool) => ({ name: tool, inputSchema: { type: 'object' } })) }),
    'prompts/list': () => ({ prompts: prompts.map((prompt) => ({ name: prompt })) }),
    'prompts/get': ({ params }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `${name} ${String(params?.name)}` } }],
    }),
    'resources/list': () => ({ resources: resources.map((uri) => ({ uri, name: uri })) }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'files' }] }),
    'resources/read': ({ params }) => ({
      contents: [{ uri: params?.uri, text: `${name} has ${String(params?.uri)}` }],
    }),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
    'logging/setLevel': () => ({}),
    'completion/complete': ({ params }) => ({ completion: { values: [JSON.stringify(params?.ref)] } }),
    'tools/call': ({ params }) => textResult(`${name} ${String(params?.name)}`),
  };
  return sampleServer(name, (message, side) => {
    const { id, method } = message;
    if (method === 'tools/call' && offer.onCall !== undefined) offer.onCall(message, side);
    else if (id !== undefined && method !== undefined && results[method] !== undefined) {
      side.send({ id, result: results[method](message) });
    } else if (offer.onOther !== undefined) offer.onOther(message, side);
    else if (id !== undefined && method !== undefined) side.send({ id, error: { code: -32601, message: 'no' } });
  });
}

export interface Sample extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly heard: Message[];
  readonly entries: LedgerEntry[];
  readonly lines: string[];
  send(message: object): void;
  request(method: string, params?: object): Promise<Message>;
  /** The first message that fits, now or later. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  hello(capabilities?: object): Promise<Message>;
}

export function openSample(servers: readonly GatewayServer[], options: Partial<GatewayOptions> = {}): Sample {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const [heard, entries, lines]: [Message[], LedgerEntry[], string[]] = [[], [], []];
  const waiting: { fits(message: Message): boolean; found(message: Message): void }[] = [];
  const gateway = openGateway({
    servers,
    client: { input, output },
    recorder: {
      session: 'test',
      ledger: { append: async (entry) => ({ sequence: entries.push(entry), leaf: '' }), hashSecret: () => '' },
    },
    tell: (line) => lines.push(line),
    ...options,
    limits: { startMs: 2000, discoverMs: 200, closeMs: 1000, ...options.limits },
  });
  readLines(output, (message) => {
    heard.push(message);
    for (const one of [...waiting]) {
      if (!one.fits(message)) continue;
      waiting.splice(waiting.indexOf(one), 1);
      one.found(message);
    }
  });
  let next = 100;
  const until = (fits: (message: Message) => boolean): Promise<Message> => {
    const there = heard.find(fits);
    return there === undefined ? new Promise((found) => waiting.push({ fits, found })) : Promise.resolve(there);
  };
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: object = {}): Promise<Message> => {
    const id = next;
    next += 1;
    send({ id, method, params });
    return until((message) => message.id === id && message.method === undefined);
  };
  return {
    gateway,
    input,
    output,
    heard,
    entries,
    lines,
    send,
    request,
    until,
    async hello(capabilities = {}) {
      const answer = await request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities,
        clientInfo: { name: 'sample', version: '1' },
      });
      send({ method: 'notifications/initialized' });
      return answer;
    },
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}
