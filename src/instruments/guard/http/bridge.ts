import { PassThrough, type Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../../../base/errors.ts';
import { asObject, asString, isObject, type JsonObject } from '../../../base/json-shape.ts';
import { mebibyte, minuteMs, secondMs } from '../../../base/limits.ts';
import { onOneLine } from '../../../targets/conversation/frame-reader.ts';
import { type BodySink, isEventStream, readBody } from '../../../targets/conversation/http-body.ts';
import type { HttpResponse, RequestFunction } from '../../../targets/conversation/http-request.ts';
import { modernHeaders, parse, requestIds, responsesIn, safeHeader, withoutReturns } from './bridge-messages.ts';
import { endpointFor } from './paths.ts';

/**
 * A server that speaks HTTP, as if it spoke over stdin and stdout. Each line becomes a POST; answers and events become
 * lines. It knows no rules: the relay before it does.
 *
 *     relay ── lines ── bridge ── POST, GET ── server in the box
 */

export interface BridgeOptions {
  readonly request: RequestFunction;
  readonly path: string;
  /** `sse` for the older form: one stream of events, which says where to post. */
  readonly form?: 'streamable' | 'sse';
  readonly messageBytes?: number;
  /** Lines that are on their way at the same time. */
  readonly mostPosts?: number;
  readonly answerMs?: number;
  /** One line for people: safe to show. */
  readonly tell?: (line: string) => void;
}

export interface HttpBridge extends AsyncDisposable {
  /** Lines of the server. Ends when the bridge is closed, or the stream of the older form has ended. */
  readonly input: Readable;
  /** Lines to the server. */
  readonly output: Writable;
  close(): Promise<void>;
}

const usual = { messageBytes: 16 * mebibyte, mostPosts: 32, answerMs: 60 * minuteMs };
const endpointMs = 30 * secondMs;
const closeMs = 2 * secondMs;
const lingerMs = 10 * secondMs;
const lookAgainMs = 20;
const mostUnanswered = 4096;
const newline = 0x0a;
const introductions = ['initialize', 'notifications/initialized'];
const nothing = (): void => undefined;

class Bridge implements HttpBridge {
  readonly input = new PassThrough({ highWaterMark: mebibyte });
  readonly output: Writable;
  readonly #options: Required<Omit<BridgeOptions, 'tell'>> & Pick<BridgeOptions, 'tell'>;
  readonly #stop = new AbortController();
  readonly #endpoint = Promise.withResolvers<string>();
  #held: Buffer = Buffer.alloc(0);
  readonly #unanswered = new Set<unknown>();
  #posts = 0;
  /** Over stdio lines are read in their order; over HTTP what follows an introduction would overtake it. */
  #introduced: Promise<void> = Promise.resolve();
  #waiting: (() => void) | null = null;
  #session: string | null = null;
  #version: string | null = null;
  #isListening = false;
  #isClosed = false;

  constructor(options: BridgeOptions) {
    this.#options = { form: 'streamable', ...usual, ...options };
    this.output = new Writable({
      highWaterMark: mebibyte,
      write: (chunk: Buffer, _encoding, done) => this.#take(chunk, done),
      final: (done) => {
        void this.#finish();
        done();
      },
    });
    this.#endpoint.promise.catch(() => undefined);
    if (this.#options.form === 'sse') void this.#openChannel();
    else this.#endpoint.resolve(this.#options.path);
  }

  /** No more lines come: what was asked may still be answered. */
  async #finish(): Promise<void> {
    const deadline = performance.now() + lingerMs;
    while ((this.#posts > 0 || this.#unanswered.size > 0) && performance.now() < deadline && !this.#isClosed) {
      await sleep(lookAgainMs);
    }
    await this.close();
  }

  #tell(line: string): void {
    if (!this.#isClosed) this.#options.tell?.(line);
  }

  #take(chunk: Buffer, done: (error?: Error | null) => void): void {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    let start = 0;
    for (let end = all.indexOf(newline); end !== -1; end = all.indexOf(newline, start)) {
      const line = all.subarray(start, end);
      start = end + 1;
      if (line.length > 0) this.#send(Buffer.from(line));
    }
    this.#held = Buffer.from(all.subarray(start));
    if (this.#held.length > this.#options.messageBytes) {
      this.#held = Buffer.alloc(0);
      this.#tell('a line that is too long for the server was left out');
    }
    if (this.#posts < this.#options.mostPosts) done();
    else this.#waiting = () => done();
  }

  #send(line: Buffer): void {
    this.#posts += 1;
    const message = parse(line);
    if (this.#unanswered.size < mostUnanswered) for (const id of requestIds(message)) this.#unanswered.add(id);
    const sent = this.#introduced.then(() => this.#post(line));
    if (isObject(message) && introductions.includes(asString(message.method) ?? '')) {
      this.#introduced = sent.then(nothing, nothing);
    }
    void sent
      .catch((error: unknown) => this.#fail(line, describeError(error)))
      .finally(() => {
        this.#posts -= 1;
        const waiting = this.#waiting;
        this.#waiting = null;
        waiting?.();
      });
  }

  #headers(message: JsonObject | null): Readonly<Record<string, string>> {
    const params = asObject(message?.params);
    const own = asString(asObject(params._meta)['io.modelcontextprotocol/protocolVersion']);
    const version = own ?? this.#version;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.#session === null ? {} : { 'mcp-session-id': this.#session }),
      ...(version === null ? {} : { 'mcp-protocol-version': version }),
      ...(own === undefined ? {} : modernHeaders(message, params)),
    };
  }

  async #post(line: Buffer): Promise<void> {
    const { request, answerMs } = this.#options;
    const message = parse(line);
    const response = await request({
      method: 'POST',
      path: await this.#endpoint.promise,
      headers: this.#headers(isObject(message) ? message : null),
      body: line.toString('utf8'),
      signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(answerMs)]),
    });
    const session = response.headers['mcp-session-id'];
    if (session !== undefined && safeHeader.test(session)) this.#session = session;
    const answered = await this.#read(response, message);
    if (isObject(message) && message.method === 'notifications/initialized') void this.#listen();
    if (this.#options.form === 'sse' && response.status < 300) return;
    const missing = requestIds(message).filter((id) => !answered.has(id));
    if (missing.length > 0) this.#fail(line, `the server answered HTTP ${response.status}`, missing);
  }

  /** Returns the ids that were answered. */
  async #read(response: HttpResponse, sent: unknown): Promise<ReadonlySet<unknown>> {
    const answered = new Set<unknown>();
    const isInitialize = isObject(sent) && sent.method === 'initialize';
    const sink: BodySink = {
      frame: (bytes) => {
        const value = parse(bytes);
        if (value === undefined) return this.#tell('the server answered something that is no message');
        for (const { id, result } of responsesIn(value)) {
          answered.add(id);
          const version = isInitialize ? asString(asObject(result).protocolVersion) : undefined;
          if (version !== undefined && safeHeader.test(version)) this.#version = version;
        }
        this.#emit(bytes);
      },
      cut: () => this.#tell('an answer that is too long was left out'),
      takes: () => !this.#isClosed,
    };
    await readBody(await this.#paced(response), sink, this.#options.messageBytes);
    return answered;
  }

  /** Reads no faster than our own reader does. */
  async #paced(response: HttpResponse): Promise<HttpResponse> {
    const { input } = this;
    const body = response.body;
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        while (input.writableNeedDrain && !input.destroyed)
          await new Promise((resolve) => input.once('drain', resolve));
        yield chunk;
      }
    }
    return { ...response, body: slowly() };
  }

  #emit(bytes: Buffer): void {
    if (this.#isClosed || this.input.writableEnded) return;
    if (this.#unanswered.size > 0) for (const { id } of responsesIn(parse(bytes))) this.#unanswered.delete(id);
    this.input.write(Buffer.concat([onOneLine(withoutReturns(bytes)), Buffer.from('\n')]));
  }

  /** Whoever waits for an answer is told that none comes. */
  #fail(line: Buffer, because: string, ids: readonly unknown[] = requestIds(parse(line))): void {
    this.#tell(`the server in the box: ${because}`);
    for (const id of ids) {
      const error = { code: -32000, message: 'the server in the box does not answer' };
      this.#emit(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error })));
    }
  }

  /** The stream on which a server may speak without being asked. Most have none, and that is fine. */
  async #listen(): Promise<void> {
    if (this.#isListening || this.#options.form === 'sse' || this.#isClosed) return;
    this.#isListening = true;
    const { request, path } = this.#options;
    const headers = { ...this.#headers(null), accept: 'text/event-stream' };
    try {
      const response = await request({ method: 'GET', path, headers, body: '', signal: this.#stop.signal });
      if (response.status === 200 && isEventStream(response)) await this.#read(response, undefined);
    } catch {
      // It is an offer of the server's; without it nothing is missing.
    }
  }

  async #openChannel(): Promise<void> {
    const { request, path, messageBytes } = this.#options;
    const timer = setTimeout(() => this.#endpoint.reject(new Error('no endpoint was named in time')), endpointMs);
    try {
      const headers = { accept: 'text/event-stream', 'cache-control': 'no-cache' };
      const response = await request({ method: 'GET', path, headers, body: '', signal: this.#stop.signal });
      if (response.status !== 200 || !isEventStream(response)) {
        throw new Error(`HTTP ${response.status} instead of a stream of events`);
      }
      const sink: BodySink = {
        frame: (bytes) => this.#emit(bytes),
        cut: () => this.#tell('an answer that is too long was left out'),
        event: (name, data) => {
          if (name !== 'endpoint') return;
          const endpoint = endpointFor(data.toString('utf8').trim(), path);
          if (endpoint === null) this.#endpoint.reject(new Error('the server names an endpoint somewhere else'));
          else this.#endpoint.resolve(endpoint);
        },
        takes: () => !this.#isClosed,
      };
      await readBody(await this.#paced(response), sink, messageBytes);
      this.#endpoint.reject(new Error('the stream of events has ended'));
    } catch (error) {
      this.#endpoint.reject(error);
      this.#tell(`the server in the box: ${describeError(error)}`);
    } finally {
      clearTimeout(timer);
      // Without it no answer can come.
      await this.close();
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#session !== null) {
      const { request, path } = this.#options;
      const signal = AbortSignal.timeout(closeMs);
      await request({ method: 'DELETE', path, headers: this.#headers(null), body: '', signal }).catch(() => undefined);
    }
    this.#stop.abort();
    this.#waiting?.();
    this.input.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export function openHttpBridge(options: BridgeOptions): HttpBridge {
  return new Bridge(options);
}
