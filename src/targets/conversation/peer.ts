import { asString, isObject } from '../../base/json-shape.ts';
import { boundValue } from './bound-value.ts';
import { answerServer, type ClientSide } from './client-side.ts';
import type { ConversationOptions } from './contract.ts';
import type { ConversationLimits } from './limits.ts';
import { LineJoiner } from './line-joiner.ts';
import { type Incoming, readMessage } from './message.ts';
import { parseFrame } from './parse-frame.ts';
import type { CutFrame, Wire, WireListener } from './wire.ts';

/** The client's end of JSON-RPC: asks, waits so long, answers the server's own requests, and keeps count of the rest. */

export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'gone'; readonly because: string }
  | { readonly kind: 'invalid'; readonly because: string; readonly head?: Buffer; readonly droppedBytes?: number };

export interface PeerCounts {
  /** Frames that were longer than the cap. */
  cutFrames: number;
  cutBytes: number;
  floods: number;
  /** Lines and messages that nobody asked for. */
  noise: number;
  notifications: number;
  requests: number;
  /** Requests of the server that got no answer because there were too many. */
  unanswered: number;
  /** Of the three kinds above, what was not handed on. */
  unreported: number;
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tells the server when we stop waiting. */
  readonly isCancellable?: boolean;
  /** Stops waiting, as if the time were over. */
  readonly signal?: AbortSignal;
}

export interface PeerOptions {
  readonly limits: ConversationLimits;
  readonly side: ClientSide;
  readonly onMessage?: ConversationOptions['onMessage'];
}

interface Pending {
  readonly id: number;
  readonly settle: (reply: Reply) => void;
}

const methodNotFound = -32601;
const anyId = /"id"\s*:\s*(?:"([^"\\]{0,40})"|(-?\d{1,15}))/;

export class Peer implements WireListener {
  readonly counts: PeerCounts = {
    cutFrames: 0,
    cutBytes: 0,
    floods: 0,
    noise: 0,
    notifications: 0,
    requests: 0,
    unanswered: 0,
    unreported: 0,
  };
  readonly #wire: Wire;
  readonly #options: PeerOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #joiner = new LineJoiner();
  #nextId = 1;
  #notices = 0;
  #replies = 0;
  #isGone = false;

  constructor(wire: Wire, options: PeerOptions) {
    this.#wire = wire;
    this.#options = options;
    wire.listen(this);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  ask(method: string, params: Readonly<Record<string, unknown>>, options: AskOptions): Promise<Reply> {
    if (this.#isGone) return Promise.resolve({ kind: 'gone', because: 'the server had ended its output before' });
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(id, options), options.timeoutMs);
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        this.#pending.delete(String(id));
        this.#wire.endTurn(id);
        resolve(reply);
      };
      this.#pending.set(String(id), { id, settle });
      options.signal?.addEventListener('abort', () => this.#giveUp(id, options), { once: true });
      this.#wire.beginTurn();
      this.#wire.send({
        message: { jsonrpc: '2.0', id, method, params },
        ...(options.headers === undefined ? {} : { headers: options.headers }),
      });
    });
  }

  #giveUp(id: number, { isCancellable = false }: AskOptions): void {
    const isCutting = this.#wire.isCutting;
    const pending = this.#pending.get(String(id));
    if (pending === undefined) return;
    if (isCutting) pending.settle({ kind: 'invalid', because: 'a message longer than the cap did not end in time' });
    else pending.settle({ kind: 'timeout' });
    if (isCancellable) this.notify('notifications/cancelled', { requestId: id, reason: 'no answer in time' });
  }

  notify(method: string, params?: Readonly<Record<string, unknown>>): void {
    if (this.#isGone) return;
    this.#wire.send({ message: { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) } });
  }

  frame(bytes: Buffer): void {
    const { values, noise, dropped } = parseFrame(bytes, this.#options.limits.messagesPerFrame);
    this.counts.noise += dropped;
    this.counts.unreported += dropped;
    const messages = values.map(readMessage);
    if (messages.some(({ kind }) => kind !== 'noise')) this.#leaveJoiner();
    else if (this.#join(bytes.toString('utf8'))) return;
    for (const text of noise) this.#notice('noise', text);
    this.#take(messages);
  }

  /** True when the line is, or may become, a part of a message over several lines. */
  #join(line: string): boolean {
    const joined = this.#joiner.add(line);
    if (joined === undefined) return this.#joiner.isOpen;
    const values = Array.isArray(joined) ? joined.slice(0, this.#options.limits.messagesPerFrame) : [joined];
    this.#take(values.map(readMessage));
    return true;
  }

  #leaveJoiner(): void {
    for (const line of this.#joiner.take()) this.#notice('noise', line);
  }

  #take(messages: readonly Incoming[]): void {
    for (const incoming of messages) {
      if (incoming.kind === 'answer') this.#takeAnswer(incoming);
      else if (incoming.kind === 'request') this.#takeRequest(incoming);
      else if (incoming.kind === 'notification') this.#notice('notification', incoming.message);
      else this.#notice('noise', incoming.content);
    }
  }

  #takeAnswer({ id, message }: Incoming & { readonly kind: 'answer' }): void {
    const error = message.error ?? undefined;
    // A server that could not read the request cannot say which one it was.
    const pending = id === null && error !== undefined ? this.#oldest() : this.#pending.get(id ?? '');
    if (pending === undefined) this.#notice('noise', message);
    else if (error !== undefined) pending.settle({ kind: 'error', error });
    else if (message.result !== undefined) pending.settle({ kind: 'result', result: message.result });
    else pending.settle({ kind: 'invalid', because: 'neither a result nor an error' });
  }

  #takeRequest({ id, method, message }: Incoming & { readonly kind: 'request' }): void {
    this.#notice('request', message);
    const { limits, side } = this.#options;
    if (this.#replies >= limits.repliesToServer || this.#wire.unreadBytes > limits.unreadBytes) {
      this.counts.unanswered += 1;
      return;
    }
    this.#replies += 1;
    const result = answerServer(method, message.params, side);
    const outcome = result === null ? { error: { code: methodNotFound, message: 'Method not found' } } : { result };
    this.#wire.send({ message: { jsonrpc: '2.0', id, ...outcome } });
  }

  #oldest(): Pending | undefined {
    const [first] = this.#pending.values();
    return first;
  }

  cut({ head, tail, droppedBytes }: CutFrame): void {
    this.counts.cutFrames += 1;
    this.counts.cutBytes += droppedBytes;
    const found = anyId.exec(head.subarray(0, 512).toString('latin1')) ?? anyId.exec(tail.toString('latin1'));
    const named = found === null ? undefined : this.#pending.get(found[1] ?? found[2] ?? '');
    // What is inside of an answer may look like its id: with nothing else to go by, it is the one we wait for.
    const pending = named ?? this.#oldest();
    if (pending === undefined) this.#notice('noise', head.toString('utf8'));
    else pending.settle({ kind: 'invalid', because: 'a message longer than the cap', head, droppedBytes });
  }

  flooded(): void {
    this.counts.floods += 1;
    for (const { settle } of [...this.#pending.values()])
      settle({ kind: 'invalid', because: 'more output than the cap' });
  }

  failed(id: number, outcome: 'gone' | 'invalid', because: string, body?: Buffer): void {
    const head = outcome === 'invalid' && body !== undefined ? { head: body } : {};
    this.#pending.get(String(id))?.settle({ kind: outcome, because, ...head });
  }

  noise(content: string): void {
    this.#notice('noise', content);
  }

  gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#leaveJoiner();
    for (const { settle } of [...this.#pending.values()])
      settle({ kind: 'gone', because: 'the server ended its output' });
  }

  #notice(kind: 'notification' | 'request' | 'noise', content: unknown): void {
    this.counts[kind === 'noise' ? 'noise' : (`${kind}s` as const)] += 1;
    const { limits, onMessage } = this.#options;
    if (this.#notices >= limits.notices) {
      this.counts.unreported += 1;
      return;
    }
    this.#notices += 1;
    if (onMessage === undefined) return;
    const characters = limits.noticeBytes;
    onMessage({
      kind,
      content:
        isObject(content) || Array.isArray(content)
          ? boundValue(content, { depth: 16, values: 1000, characters })
          : (asString(content)?.slice(0, characters) ?? content),
    });
  }
}
