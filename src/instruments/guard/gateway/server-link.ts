import { PassThrough } from 'node:stream';
import { describeError } from '../../../base/errors.ts';
import { asObject, type JsonObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Incoming } from '../../../targets/conversation/message.ts';
import { Allowance } from './allowance.ts';
import type { GatewayServer, OpenServer, ServerState } from './contract.ts';
import type { Hello } from './hello.ts';
import type { GatewayLimits } from './limits.ts';
import { LinePort } from './line-port.ts';
import type { Reply, RequestId } from './rpc.ts';
import { type Agreement, shakeHands } from './shake-hands.ts';

/** One server behind the gateway. Its ids are its own: whatever it answers, it can only be to what it was asked. */

export interface LinkListener {
  request(link: ServerLink, id: RequestId, method: string, params: JsonObject): void;
  notification(link: ServerLink, method: string, params: JsonObject): void;
  ready(link: ServerLink): void;
  lost(link: ServerLink, because: string): void;
}

interface Pending {
  readonly settle: (reply: Reply) => void;
  readonly onProgress: ((params: JsonObject) => void) | undefined;
}

export interface AskOptions {
  /** Null waits as long as the server lives. */
  readonly timeoutMs: number | null;
  readonly onProgress?: (params: JsonObject) => void;
  /** Gets the id once it is known: also the token for progress. */
  readonly params?: (id: number) => JsonObject;
  readonly signal?: AbortSignal;
}

const anyId = /"id"\s*:\s*(-?\d{1,15})\s*[,}]/;

/** Some servers send ids back as text; no id of ours is anything but a number. */
function ownId(id: unknown): number {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN;
}

export class ServerLink {
  readonly name: string;
  readonly label: string;
  readonly counts = { dropped: 0, requests: 0 };
  readonly #limits: GatewayLimits;
  readonly #listener: LinkListener;
  readonly #pending = new Map<number, Pending>();
  readonly #noise: Allowance;
  readonly #notices: Allowance;
  readonly #stop = new AbortController();
  readonly #port: LinePort;
  readonly #opened: Promise<OpenServer | null>;
  #state: ServerState = { is: 'starting' };
  #agreement: Agreement | null = null;
  #nextId = 1;

  constructor(server: GatewayServer, label: string, limits: GatewayLimits, listener: LinkListener) {
    this.name = server.name;
    this.label = label;
    this.#limits = limits;
    this.#listener = listener;
    this.#noise = new Allowance(limits.noiseBurst, limits.noisePerSecond);
    this.#notices = new Allowance(limits.noticeBurst, limits.noticesPerSecond);
    const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
    this.#port = new LinePort({ input: fromServer, output: toServer }, limits.frameBytes, {
      message: (incoming) => this.#take(incoming),
      cut: (head) => this.#takeCut(head),
      ended: (because) => this.lose(because),
    });
    this.#opened = this.#open(server, { input: toServer, output: fromServer });
  }

  get state(): ServerState {
    return this.#state;
  }

  get isReady(): boolean {
    return this.#state.is === 'ready';
  }

  get isLost(): boolean {
    return this.#state.is === 'lost';
  }

  get agreement(): Agreement | null {
    return this.#agreement;
  }

  get isModern(): boolean {
    return this.#agreement?.isModern === true;
  }

  offers(capability: string): boolean {
    return this.isReady && this.#agreement?.capabilities[capability] !== undefined;
  }

  async #open(server: GatewayServer, streams: { input: PassThrough; output: PassThrough }): Promise<OpenServer | null> {
    try {
      const opened = await server.open(streams, this.#stop.signal);
      void opened.ended.then(({ reason }) => this.lose(`it has ended (${reason})`));
      return opened;
    } catch (error) {
      this.lose(`it did not start: ${describeError(error)}`);
      return null;
    }
  }

  /** Resolves when the server is there or will not be. */
  async start(hello: Hello): Promise<void> {
    const late = setTimeout(() => this.lose('it did not answer when it was greeted'), this.#limits.handshakeMs);
    try {
      if ((await this.#opened) === null || this.isLost) return;
      const agreement = await shakeHands(this, hello, this.#limits);
      if (this.isLost) return;
      if (typeof agreement === 'string') {
        this.lose(agreement);
        return;
      }
      this.#agreement = agreement;
      this.#state = { is: 'ready', protocolVersion: agreement.protocolVersion };
      this.#listener.ready(this);
    } finally {
      clearTimeout(late);
    }
  }

  ask(method: string, params: JsonObject, options: AskOptions): Promise<Reply> {
    if (this.#state.is === 'lost') return Promise.resolve({ is: 'none', because: this.#state.because });
    if (this.#port.unreadBytes > this.#limits.unreadBytes) {
      return Promise.resolve({ is: 'none', because: 'it does not read what it is sent' });
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.counts.requests += 1;
    return new Promise((resolve) => {
      const { timeoutMs, signal, onProgress } = options;
      const giveUp = (because: string) => (): void => {
        if (!this.#pending.has(id)) return;
        settle({ is: 'none', because });
        this.notify('notifications/cancelled', { requestId: id, reason: because });
      };
      const timer = timeoutMs === null ? undefined : setTimeout(giveUp('it did not answer in time'), timeoutMs);
      const cancel = giveUp('cancelled');
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        this.#pending.delete(id);
        resolve(reply);
      };
      this.#pending.set(id, { settle, onProgress });
      signal?.addEventListener('abort', cancel, { once: true });
      this.#port.send({ id, method, params: options.params?.(id) ?? params });
      if (signal?.aborted === true) cancel();
    });
  }

  notify(method: string, params?: JsonObject): void {
    if (this.#port.unreadBytes > this.#limits.unreadBytes) return;
    this.#port.send(params === undefined ? { method } : { method, params });
  }

  respond(id: RequestId, outcome: { readonly result: unknown } | { readonly error: unknown }): void {
    this.#port.send({ id, ...outcome });
  }

  pause(): void {
    this.#port.pause();
  }

  resume(): void {
    if (this.#state.is !== 'lost') this.#port.resume();
  }

  #take(incoming: Incoming): void {
    if (this.#state.is === 'lost') return;
    if (incoming.kind === 'answer') this.#takeAnswer(incoming.message);
    else if (incoming.kind === 'noise') this.#drop();
    else if (incoming.kind === 'notification')
      this.#takeNotification(incoming.method, asObject(incoming.message.params));
    else if (this.#notices.take()) {
      this.#listener.request(this, incoming.id, incoming.method, asObject(incoming.message.params));
    } else this.#drop();
  }

  #takeAnswer(message: JsonObject): void {
    const pending = this.#pending.get(ownId(message.id));
    if (pending === undefined) this.#drop();
    else if (message.error !== undefined && message.error !== null) {
      pending.settle({ is: 'error', error: asObject(message.error) });
    } else pending.settle({ is: 'result', result: asObject(message.result) });
  }

  #takeNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      const pending = this.#pending.get(ownId(params.progressToken));
      if (pending?.onProgress === undefined || !this.#notices.take()) this.#drop();
      else pending.onProgress(params);
    } else if (this.#notices.take()) this.#listener.notification(this, method, params);
    else this.#drop();
  }

  #takeCut(head: Buffer): void {
    this.#drop();
    const id = anyId.exec(head.subarray(0, 512).toString('latin1'))?.[1];
    this.#pending.get(ownId(id))?.settle({ is: 'none', because: 'its answer was longer than the cap' });
  }

  #drop(): void {
    this.counts.dropped += 1;
    if (!this.#noise.take()) this.lose('it floods its output with what nobody asked for');
  }

  lose(because: string): void {
    if (this.#state.is === 'lost') return;
    const shown = forTerminal(untrusted(because, 500));
    this.#state = { is: 'lost', because: shown };
    for (const { settle } of [...this.#pending.values()]) settle({ is: 'none', because: shown });
    this.#listener.lost(this, shown);
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#state.is !== 'lost') this.#state = { is: 'lost', because: 'the gateway is closing' };
    this.#port.close();
    const opened = this.#opened.then((server) => server?.close());
    // Politely first; who has not even started by then is told to stop.
    const late = setTimeout(() => this.#stop.abort(), this.#limits.closeMs / 2);
    const end = Promise.withResolvers<void>();
    const over = setTimeout(end.resolve, this.#limits.closeMs);
    await Promise.race([opened.catch(() => {}), end.promise]);
    clearTimeout(late);
    clearTimeout(over);
    this.#stop.abort();
  }
}
