import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError } from '../../../base/errors.ts';
import { asArray, asString, isObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { isEventStream } from '../../../targets/conversation/http-body.ts';
import type { HttpResponse, RequestFunction } from '../../../targets/conversation/http-request.ts';
import { type AnswerId, errorBody, sendAnswer, sendEmpty, sendJson } from './answers.ts';
import { readBody, readDocument } from './bodies.ts';
import { doHeadersAgree, headersToClient, headersToServer } from './headers.ts';
import type { FrontLimits } from './limits.ts';
import { endpointFor, type Paths } from './paths.ts';
import { relayEvents } from './relay-events.ts';
import type { Lease, Sessions } from './sessions.ts';
import { makeWriter } from './write.ts';

/** One request of a client, from its body to the last byte of the answer. */

export interface ExchangeContext {
  readonly request: RequestFunction;
  readonly sessions: Sessions;
  readonly paths: Paths;
  readonly limits: FrontLimits;
  readonly isTokenOurs: boolean;
  readonly tell: (line: string) => void;
}

type Headers = Readonly<Record<string, string>>;

function sessionKey(id: string): string {
  return `session ${id}`;
}

function endpointKey(path: string): string {
  return `endpoint ${path}`;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function withoutEnd(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
}

export class Exchange {
  readonly #context: ExchangeContext;
  readonly #asked: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #path: string;
  readonly #headers: Headers;
  readonly #stop = new AbortController();
  /** Where a message of ours to the server goes: here, or, in the older form, where the server says. */
  #postPath: string;

  constructor(context: ExchangeContext, asked: IncomingMessage, response: ServerResponse) {
    this.#context = context;
    this.#asked = asked;
    this.#response = response;
    this.#path = asked.url ?? '/';
    this.#postPath = this.#path;
    this.#headers = headersToServer(asked.headers, context.isTokenOurs);
    response.once('close', () => this.#stop.abort());
  }

  async run(): Promise<void> {
    const id = this.#headers['mcp-session-id'];
    const endpoint = endpointKey(this.#path);
    const { sessions } = this.#context;
    const key = id !== undefined ? sessionKey(id) : sessions.has(endpoint) ? endpoint : null;
    const lease = sessions.take(key);
    if (lease === null) return sendAnswer(this.#response, 'busy');
    try {
      if (this.#asked.method === 'POST') await this.#post(lease);
      else await this.#passOn(lease, Buffer.alloc(0), null);
      if (this.#asked.method === 'DELETE' && id !== undefined) sessions.forget(sessionKey(id));
    } finally {
      lease.release();
      this.#stop.abort();
    }
  }

  async #post(lease: Lease): Promise<void> {
    const { limits } = this.#context;
    const body = await readBody(this.#asked, limits.messageBytes);
    if (typeof body === 'string') return sendAnswer(this.#response, body);
    if (!doHeadersAgree(this.#headers, parse(body))) return sendAnswer(this.#response, 'headers');
    const { forward, reply } = await lease.gate.take('to-server', { is: 'line', whole: body, content: body });
    if (forward !== null) return this.#passOn(lease, forward === body ? body : withoutEnd(forward), reply);
    // A notification that was dropped has no answer.
    if (reply === null) return sendEmpty(this.#response, 202);
    sendJson(this.#response, 200, withoutEnd(reply));
  }

  /** `refusals` are answers of ours to members of a batch that do not go on. */
  async #passOn(lease: Lease, body: Buffer, refusals: Buffer | null): Promise<void> {
    const answer = await this.#ask(body);
    if (typeof answer === 'string') {
      await this.#giveUp(lease, body);
      return sendAnswer(this.#response, answer);
    }
    const session = answer.headers['mcp-session-id'];
    if (session !== undefined) lease.keep(sessionKey(session));
    if (isEventStream(answer)) await this.#sendEvents(lease, answer, refusals);
    else await this.#sendDocument(lease, answer, body, refusals);
  }

  async #ask(body: Buffer): Promise<HttpResponse | AnswerId> {
    const { request, limits, tell } = this.#context;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limits.answerMs);
    try {
      return await request({
        method: this.#asked.method ?? 'GET',
        path: this.#path,
        headers: this.#headers,
        body: body.toString('utf8'),
        signal: AbortSignal.any([late.signal, this.#stop.signal]),
      });
    } catch (error) {
      if (late.signal.aborted) return 'late';
      tell(`the server in the box: ${forTerminal(untrusted(describeError(error), 200))}`);
      return 'unreachable';
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nobody will answer these any more: the gate need not wait for them. */
  async #giveUp({ gate }: Lease, body: Buffer): Promise<void> {
    const message = parse(body);
    for (const each of Array.isArray(message) ? asArray(message) : [message]) {
      if (!isObject(each) || asString(each.method) === undefined || each.id === undefined) continue;
      const error = { code: -32000, message: 'the server does not answer' };
      const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: each.id, error }));
      await gate.take('to-client', { is: 'line', whole: line, content: line });
    }
  }

  #headersOf({ headers }: HttpResponse): Headers {
    return headersToClient(headers);
  }

  async #sendEvents(lease: Lease, answer: HttpResponse, refusals: Buffer | null): Promise<void> {
    const { limits, tell, paths } = this.#context;
    if (answer.headers['content-encoding'] !== undefined) return sendAnswer(this.#response, 'unreadable');
    this.#response.writeHead(answer.status, {
      ...this.#headersOf(answer),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    });
    this.#response.flushHeaders();
    const write = makeWriter(this.#response, limits.stalledMs);
    if (refusals !== null) await write(Buffer.from(`data: ${withoutEnd(refusals).toString('utf8')}\n\n`));
    const endpoint = (address: string): string | null => {
      const path = endpointFor(address, this.#path);
      if (path === null) tell('the server names an endpoint somewhere else: it is left out');
      else {
        paths.add(path);
        this.#postPath = path;
        lease.keep(endpointKey(path));
      }
      return path;
    };
    try {
      await relayEvents(answer.body, lease.gate, { write, reply: this.#reply, endpoint }, limits.messageBytes);
      this.#response.end();
    } catch {
      // It broke off: the client sees the same, and may take the stream up again.
      this.#response.destroy();
    }
  }

  /** A request of the server was refused, and it is told so in a message of its own. */
  readonly #reply = (bytes: Buffer): void => {
    const { request, limits } = this.#context;
    const { 'last-event-id': _id, accept: _accept, ...headers } = this.#headers;
    void request({
      method: 'POST',
      path: this.#postPath,
      headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: withoutEnd(bytes).toString('utf8'),
      signal: AbortSignal.timeout(limits.bodyMs),
    }).then(
      async ({ body }) => void (await body[Symbol.asyncIterator]().return?.()),
      () => undefined,
    );
  };

  async #sendDocument(lease: Lease, answer: HttpResponse, sent: Buffer, refusals: Buffer | null): Promise<void> {
    const { limits } = this.#context;
    const headers = this.#headersOf(answer);
    const isFine = answer.status >= 200 && answer.status < 300;
    const isEncoded = answer.headers['content-encoding'] !== undefined;
    const document = isEncoded ? 'unreadable' : await readDocument(answer.body, limits.messageBytes);
    if (typeof document === 'string') {
      await this.#giveUp(lease, sent);
      return sendAnswer(this.#response, 'unreadable');
    }
    const isJson = /^\s*[{[]/.test(document.toString('latin1', 0, 64));
    if (!isJson) {
      if (!isFine) await this.#giveUp(lease, sent);
      if (refusals !== null) return sendJson(this.#response, 200, withoutEnd(refusals), headers);
      // Words of the server that are no message are not for the client to read.
      if (isFine) return sendEmpty(this.#response, document.length === 0 ? answer.status : 202, headers);
      return sendJson(this.#response, answer.status, errorBody(`the server answered HTTP ${answer.status}`), headers);
    }
    const { forward, reply } = await lease.gate.take('to-client', { is: 'line', whole: document, content: document });
    if (reply !== null) this.#reply(reply);
    if (forward === null) {
      await this.#giveUp(lease, sent);
      if (!isFine) {
        return sendJson(this.#response, answer.status, errorBody(`the server answered HTTP ${answer.status}`), headers);
      }
      return sendAnswer(this.#response, 'unreadable');
    }
    const passed = forward === document ? document : withoutEnd(forward);
    sendJson(this.#response, answer.status, refusals === null ? passed : joinBatches(passed, refusals), headers);
  }
}

function joinBatches(answers: Buffer, refusals: Buffer): Buffer {
  const inner = [answers, refusals].map((bytes) =>
    bytes
      .toString('utf8')
      .trim()
      .replace(/^\[|\]$/g, '')
      .trim(),
  );
  return Buffer.from(`[${inner.filter((text) => text !== '').join(',')}]`);
}
