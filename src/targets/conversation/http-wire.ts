import { describeError } from '../../base/errors.ts';
import { asObject, asString } from '../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import type { Tap } from '../../engine/sensor/tap.ts';
import { isModernVersion, metaKeys } from './era.ts';
import { onOneLine } from './frame-reader.ts';
import { type BodySink, isEventStream, readBody } from './http-body.ts';
import type { HttpResponse, RequestFunction } from './http-request.ts';
import type { ConversationLimits } from './limits.ts';
import { headerValue } from './parameter-headers.ts';
import { parseFrame } from './parse-frame.ts';
import { SseChannel } from './sse-channel.ts';
import type { Outgoing, Wire, WireListener } from './wire.ts';

/**
 * Messages over HTTP. Each goes out in a POST, and its answer comes in the answer to that. A server that will not have
 * it so is asked for the older form: one stream of events that carries all answers, and names a path to post to.
 */

export interface HttpEnds {
  /** Where the server is; of it, only the path and the query go into requests. */
  readonly url: URL;
  readonly request: RequestFunction;
  readonly tap?: Pick<Tap, 'feed'>;
}

const nameFields: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
const safeHeader = /^[!-~]{1,1000}$/;
const refusals: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 501]);

type Message = Outgoing['message'];

/** Null for what wants no answer. */
function requestId({ method, id }: Message): number | null {
  return typeof method === 'string' && typeof id === 'number' ? id : null;
}

export class HttpWire implements Wire {
  readonly framing = null;
  readonly #ends: HttpEnds;
  readonly #limits: ConversationLimits;
  readonly #all = new AbortController();
  readonly #exchanges = new Map<number, AbortController>();
  readonly #unanswered = new Set<number>();
  #listener: WireListener | null = null;
  #path: string;
  #session: string | null = null;
  #version: string | null = null;
  #channel: SseChannel | null = null;
  #hasAnswered = false;
  #turnBytes = 0;
  #turnFrames = 0;
  #unread = 0;

  constructor(ends: HttpEnds, limits: ConversationLimits) {
    this.#ends = ends;
    this.#limits = limits;
    this.#path = `${ends.url.pathname}${ends.url.search}`;
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
  }

  get unreadBytes(): number {
    return this.#unread;
  }

  get isCutting(): boolean {
    return false;
  }

  beginTurn(): void {
    this.#turnBytes = 0;
    this.#turnFrames = 0;
  }

  endTurn(id: number): void {
    this.#unanswered.delete(id);
    this.#exchanges.get(id)?.abort();
  }

  agree(protocolVersion: string): void {
    this.#version = safeHeader.test(protocolVersion) ? protocolVersion : null;
    // Since 2026 a server has nothing to say that was not asked for.
    if (this.#channel === null && !isModernVersion(protocolVersion)) void this.#listenAside();
  }

  send(outgoing: Outgoing): void {
    const id = requestId(outgoing.message);
    if (id !== null) this.#unanswered.add(id);
    this.#feed('to-target', Buffer.from(JSON.stringify(outgoing.message)));
    void this.#post(outgoing, id).catch((error: unknown) => this.#fail(id, 'gone', describeError(error)));
  }

  #feed(direction: 'to-target' | 'from-target', bytes: Buffer): void {
    this.#ends.tap?.feed(direction, onOneLine(bytes));
    this.#ends.tap?.feed(direction, Buffer.from('\n'));
  }

  #fail(id: number | null, outcome: 'gone' | 'invalid', because: string, body?: Buffer): void {
    if (id !== null && this.#unanswered.delete(id)) this.#listener?.failed(id, outcome, because, body);
  }

  #headers(message: Message, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    const params = asObject(message.params);
    const method = asString(message.method);
    const ownVersion = asString(asObject(params._meta)[metaKeys.protocolVersion]);
    const version = ownVersion ?? this.#version;
    const name = method === undefined ? undefined : asString(params[nameFields[method] ?? '']);
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.#session === null ? {} : { 'mcp-session-id': this.#session }),
      ...(version === null ? {} : { 'mcp-protocol-version': version }),
      ...(ownVersion === undefined || method === undefined ? {} : { 'mcp-method': method }),
      ...(ownVersion === undefined || name === undefined ? {} : { 'mcp-name': headerValue(name) }),
      ...more,
    };
  }

  async #post(outgoing: Outgoing, id: number | null): Promise<void> {
    const { message, headers } = outgoing;
    const exchange = new AbortController();
    if (id !== null) this.#exchanges.set(id, exchange);
    const body = JSON.stringify(message);
    this.#unread += body.length;
    try {
      const response = await this.#ends.request({
        method: 'POST',
        path: this.#path,
        headers: this.#headers(message, headers),
        body,
        signal: AbortSignal.any([this.#all.signal, exchange.signal]),
      });
      await this.#takeAnswer(response, outgoing, id);
    } finally {
      this.#unread -= body.length;
      if (id !== null && this.#exchanges.get(id) === exchange) this.#exchanges.delete(id);
      // An answer that was not read to its end must not hold its connection.
      exchange.abort();
    }
  }

  async #takeAnswer(response: HttpResponse, outgoing: Outgoing, id: number | null): Promise<void> {
    const isFirst = !this.#hasAnswered && this.#channel === null;
    if (isFirst && refusals.has(response.status)) await this.#tryOlderForm(response, outgoing, id);
    else await this.#readAnswer(response, id);
  }

  async #tryOlderForm(response: HttpResponse, outgoing: Outgoing, id: number | null): Promise<void> {
    let kept: Buffer = Buffer.alloc(0);
    const keep = (bytes: Buffer): void => {
      kept = bytes;
    };
    await readBody(response, { ...this.#sink(), frame: keep }, this.#limits.frameBytes).catch(() => undefined);
    // An error in the words of the protocol comes from a server that knows this form.
    const isSpeaker = parseFrame(kept, 1).values.some((value) => asObject(value).jsonrpc === '2.0');
    if (!isSpeaker && (await this.#openChannel())) {
      await this.#post(outgoing, id);
      return;
    }
    if (kept.length > 0) this.#frame(kept);
    this.#fail(id, 'invalid', `HTTP ${response.status}: ${forTerminal(untrusted(kept, 300))}`, kept);
  }

  async #readAnswer(response: HttpResponse, id: number | null): Promise<void> {
    const { status, headers } = response;
    const session = headers['mcp-session-id'];
    if (this.#session === null && session !== undefined && safeHeader.test(session)) this.#session = session;
    const isFine = status >= 200 && status < 300;
    // The answer comes by another way, and whatever stands here is a courtesy.
    const isElsewhere = isFine && (this.#channel !== null || status === 202);
    let kept: Buffer = Buffer.alloc(0);
    const sink = this.#sink();
    await readBody(
      response,
      {
        ...sink,
        frame: (bytes) => {
          kept = bytes;
          if (!isElsewhere || /^\s*[{[]/.test(bytes.toString('latin1', 0, 100))) sink.frame(bytes);
        },
      },
      this.#limits.frameBytes,
    );
    if (isFine) this.#hasAnswered = true;
    if (isElsewhere) return;
    const where = headers.location === undefined ? '' : ` to ${forTerminal(untrusted(headers.location, 200))}`;
    const said = forTerminal(untrusted(kept, 300));
    if (isFine && isEventStream(response)) this.#fail(id, 'gone', 'the stream ended before the answer came');
    else this.#fail(id, 'invalid', `HTTP ${status}${where}: ${said}`, kept);
  }

  #sink(): BodySink {
    return {
      frame: (bytes) => this.#frame(bytes),
      cut: (frame) => {
        this.#feed('from-target', frame.head);
        this.#listener?.cut(frame);
      },
      event: (name, data) => this.#listener?.noise(`event ${name}: ${data.subarray(0, 1000).toString('utf8')}`),
      takes: (bytes) => this.#takes(bytes),
    };
  }

  #frame(bytes: Buffer): void {
    this.#turnFrames += 1;
    this.#feed('from-target', bytes);
    this.#listener?.frame(bytes);
  }

  #takes(bytes: number): boolean {
    this.#turnBytes += bytes;
    if (this.#turnBytes <= this.#limits.turnBytes && this.#turnFrames <= this.#limits.turnFrames) return true;
    this.#listener?.flooded();
    return false;
  }

  /** The stream on which a server may speak without being asked. Most have none, and that is fine. */
  async #listenAside(): Promise<void> {
    const signal = this.#all.signal;
    const headers = { ...this.#headers({}), accept: 'text/event-stream' };
    try {
      const response = await this.#ends.request({ method: 'GET', path: this.#path, headers, body: '', signal });
      if (response.status === 200 && isEventStream(response)) {
        await readBody(response, this.#sink(), this.#limits.frameBytes);
      }
    } catch {
      // It is an offer of the server's; without it nothing is missing.
    }
  }

  async #openChannel(): Promise<boolean> {
    const channel = await SseChannel.open(this.#ends, this.#limits, {
      ...this.#sink(),
      ended: () => this.#listener?.gone(),
      refused: (because) => this.#listener?.noise(because),
    });
    if (channel === null) return false;
    this.#channel = channel;
    this.#path = channel.path;
    return true;
  }

  async close(): Promise<void> {
    if (this.#session !== null && this.#channel === null) {
      const signal = AbortSignal.any([AbortSignal.timeout(this.#limits.closeMs), this.#all.signal]);
      await this.#ends
        .request({ method: 'DELETE', path: this.#path, headers: this.#headers({}), body: '', signal })
        .catch(() => undefined);
    }
    this.#channel?.close();
    this.#all.abort();
    this.#listener?.gone();
  }
}
