import { setMaxListeners } from 'node:events';
import { UsageError } from '../../../base/errors.ts';
import { asObject, type JsonObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { modernVersion } from '../../../targets/conversation/era.ts';
import type { Incoming } from '../../../targets/conversation/message.ts';
import { ClientAsks } from './client-asks.ts';
import type { Gateway, GatewayOptions } from './contract.ts';
import { HeldCalls } from './held-calls.ts';
import { type Hello, helloOfInitialize, helloOfRequest, resultFor } from './hello.ts';
import { makeLabels } from './labels.ts';
import { type GatewayLimits, gatewayLimits } from './limits.ts';
import { LinePort } from './line-port.ts';
import { mergedHello } from './merged-hello.ts';
import { MergedLists } from './merged-lists.ts';
import { methods } from './methods.ts';
import { codes, idKey, type Reply, type RequestId, RpcError } from './rpc.ts';
import { type LinkListener, ServerLink } from './server-link.ts';
import { Subscriptions } from './subscriptions.ts';

/** One MCP server over stdio that is several: it speaks to the client as one, and to each server as its client. */

class RunningGateway implements Gateway, LinkListener {
  readonly #options: GatewayOptions;
  readonly #limits: GatewayLimits;
  readonly #identity: { readonly name: string; readonly version: string };
  readonly #port: LinePort;
  readonly #links: readonly ServerLink[];
  readonly #lists: MergedLists;
  readonly #asks: ClientAsks;
  readonly #subscriptions: Subscriptions;
  readonly #held: HeldCalls;
  readonly #running = new Map<string, AbortController>();
  readonly #over = Promise.withResolvers<void>();
  #hello: Hello | null = null;
  /** Resolves when all servers are there or lost, or it has taken long enough. */
  #greeted: Promise<unknown> | null = null;
  /** Everything goes to the ledger in order, and nothing goes on that it has not taken. */
  #told: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;
  #changed = new Set<string>();
  /** Before its first answer a client has no lists that could change. */
  #hasAnswered = false;

  constructor(options: GatewayOptions, limits: GatewayLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#identity = options.identity ?? { name: 'hotcell', version: '0.1.0' };
    this.#port = new LinePort(options.client, limits.frameBytes, {
      message: (incoming) => void this.#take(incoming),
      cut: () =>
        this.#port.send({
          id: null,
          error: { code: codes.invalidRequest, message: 'the message is longer than the cap' },
        }),
      ended: () => void this.#drainAndClose(),
    });
    this.#lists = new MergedLists(limits);
    this.#held = new HeldCalls(limits);
    this.#asks = new ClientAsks(this.#port, limits);
    this.#subscriptions = new Subscriptions(this.#port, limits);
    const names = options.servers.map(({ name }) => name);
    void this.#tell('gateway.open', undefined, { servers: names }).catch(() => {});
    const labels = makeLabels(names);
    this.#links = options.servers.map((server, index) => new ServerLink(server, labels[index] ?? '', limits, this));
    this.#port.onDrain(() => {
      this.#port.resume();
      for (const link of this.#links) link.resume();
    });
    options.signal?.addEventListener('abort', () => void this.close(), { once: true });
    if (options.signal?.aborted === true) void this.close();
  }

  get ended(): Promise<void> {
    return this.#over.promise;
  }

  status() {
    return this.#links.map(({ name, label, state, counts }) => ({ name, label, state, counts: { ...counts } }));
  }

  #tell(action: string, server: string | undefined, details: JsonObject): Promise<unknown> {
    const { ledger, session } = this.#options.recorder;
    const entry = { instrument: 'guard', action, verdict: 'noted', session, details } as const;
    const told = this.#told.then(() => ledger.append(server === undefined ? entry : { ...entry, server }));
    this.#told = told;
    told.catch((error: unknown) => {
      this.#over.reject(error);
      void this.close();
    });
    return told;
  }

  #send(message: JsonObject): void {
    if (this.#port.send(message)) return;
    // A client that does not read is not written to by anybody, and not listened to.
    this.#port.pause();
    for (const link of this.#links) link.pause();
  }

  async #take(incoming: Incoming): Promise<void> {
    if (incoming.kind === 'answer') this.#takeAnswer(incoming.message);
    else if (incoming.kind === 'notification')
      this.#takeNotification(incoming.method, asObject(incoming.message.params));
    else if (incoming.kind === 'request')
      await this.#takeRequest(incoming.id, incoming.method, asObject(incoming.message.params));
  }

  #takeAnswer(message: JsonObject): void {
    const reply: Reply =
      message.error === undefined
        ? { is: 'result', result: asObject(message.result) }
        : { is: 'error', error: asObject(message.error) };
    this.#asks.answer(message.id, reply);
  }

  #takeNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') {
      this.#subscriptions.close(params.requestId);
      this.#running.get(idKey(params.requestId))?.abort();
    } else if (method === 'notifications/progress') this.#asks.progress(params);
    else if (method === 'notifications/roots/list_changed') {
      for (const link of this.#links) if (link.isReady && !link.isModern) link.notify(method);
    }
  }

  async #takeRequest(id: RequestId, method: string, params: JsonObject): Promise<void> {
    const key = idKey(id);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    try {
      if (this.#running.has(key) || this.#subscriptions.isOpen(id))
        throw new RpcError(codes.invalidRequest, 'this id is in use');
      if (this.#running.size >= this.#limits.clientRequests)
        throw new RpcError(codes.internal, 'too many requests are under way');
      this.#running.set(key, stop);
      const result = await this.#answer(id, method, params, stop.signal);
      // Who has cancelled does not want an answer.
      if (result !== null && !stop.signal.aborted) {
        this.#send({ id, result: resultFor(method, result, this.#hello?.isModern === true) });
        this.#hasAnswered ||= this.#hello !== null;
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      const { code, message, data } =
        error instanceof RpcError ? error : new RpcError(codes.internal, 'the gateway failed to do this');
      this.#send({ id, error: { code, message, ...(data === undefined ? {} : { data }) } });
    } finally {
      if (this.#running.get(key) === stop) this.#running.delete(key);
    }
  }

  async #answer(id: RequestId, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject | null> {
    if (method === 'ping') return {};
    await this.#told;
    if (method === 'initialize') return this.#greet(helloOfInitialize(params));
    const claimed = helloOfRequest(params);
    if (
      claimed !== null &&
      (claimed.isModern || method === 'server/discover') &&
      claimed.protocolVersion !== modernVersion
    ) {
      throw new RpcError(codes.unsupportedVersion, 'Unsupported protocol version', {
        supported: [modernVersion],
        requested: claimed.protocolVersion.slice(0, 40),
      });
    }
    if (method === 'server/discover' && claimed !== null) return this.#greet(claimed);
    if (claimed?.isModern === true && this.#hello?.isModern !== true) await this.#greet(claimed);
    const hello = claimed?.isModern === true ? claimed : this.#hello;
    if (hello === null) throw new RpcError(codes.invalidRequest, 'the session has not begun: initialize comes first');
    // A client that does not wait for the answer to its hello waits here.
    await this.#greeted;
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handle === undefined) throw new RpcError(codes.methodNotFound, 'Method not found');
    const token = asObject(params._meta).progressToken;
    return handle(params, {
      id,
      hello,
      signal,
      links: this.#links,
      lists: this.#lists,
      subscriptions: this.#subscriptions,
      asks: this.#asks,
      held: this.#held,
      limits: this.#limits,
      onProgress: (progress) => {
        if (!signal.aborted && token !== undefined) {
          this.#send({ method: 'notifications/progress', params: { ...progress, progressToken: token } });
        }
      },
    });
  }

  /** The servers are greeted once, with what the first hello said; who is late is announced when it comes. */
  async #greet(hello: Hello): Promise<JsonObject> {
    this.#hello = hello;
    this.#greeted ??= this.#greetAll(hello);
    await this.#greeted;
    return mergedHello(this.#links, hello, this.#identity);
  }

  async #greetAll(hello: Hello): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#limits.startMs);
    await Promise.race([Promise.all(this.#links.map((link) => link.start(hello))), late.promise]);
    clearTimeout(timer);
  }

  ready(link: ServerLink): void {
    const hello = this.#hello;
    if (hello === null) return;
    this.#subscriptions.watchLists(link, hello);
    this.#announce(link);
  }

  lost(link: ServerLink, because: string): void {
    if (this.#closing !== null) return;
    this.#asks.forget(link);
    this.#options.tell?.(`server ${forTerminal(untrusted(link.name))}: ${because}`);
    void this.#tell('gateway.lose', link.name, { because }).catch(() => {});
    this.#announce(link);
  }

  /** Many changes at once are one. */
  #announce(link: ServerLink, kinds: readonly string[] = ['tools', 'prompts', 'resources']): void {
    for (const kind of kinds) if (link.agreement?.capabilities[kind] !== undefined) this.#note(kind);
  }

  #note(kind: string): void {
    if (!this.#hasAnswered) return;
    if (this.#changed.size === 0) {
      setImmediate(() => {
        const kinds = [...this.#changed];
        this.#changed = new Set();
        const hello = this.#hello;
        if (hello !== null && this.#closing === null)
          for (const one of kinds) this.#subscriptions.listChanged(one, hello);
      });
    }
    this.#changed.add(kind);
  }

  request(link: ServerLink, id: RequestId, method: string, params: JsonObject): void {
    if (method === 'ping') {
      link.respond(id, { result: {} });
      return;
    }
    const isModern = this.#hello?.isModern === true;
    if (isModern && this.#held.ask(link, id, method, params)) return;
    void this.#asks.ask(link, method, params, isModern ? null : this.#hello, id).then((reply) => {
      if (reply.is === 'result') link.respond(id, { result: reply.result });
      else
        link.respond(id, {
          error: reply.is === 'error' ? reply.error : { code: codes.internal, message: reply.because },
        });
    });
  }

  notification(link: ServerLink, method: string, params: JsonObject): void {
    const hello = this.#hello;
    const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
    if (hello === null) return;
    if (list !== undefined) this.#announce(link, [list]);
    else if (method === 'notifications/resources/updated') this.#subscriptions.updated(link, params, hello);
    else if (method === 'notifications/cancelled') this.#asks.cancel(link, params);
    else if (method === 'notifications/elicitation/complete') this.#send({ method, params });
    else if (method === 'notifications/message') {
      const logger = typeof params.logger === 'string' ? `${link.label}/${params.logger}` : link.label;
      this.#send({ method, params: { ...params, logger } });
    }
  }

  /** What was asked before the client closed its side is answered, if that does not take long. */
  async #drainAndClose(): Promise<void> {
    const deadline = performance.now() + this.#limits.closeMs;
    while (this.#running.size > 0 && performance.now() < deadline && this.#closing === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#subscriptions.closeAll();
    this.#held.close();
    for (const stop of this.#running.values()) stop.abort();
    await Promise.all(this.#links.map((link) => link.close()));
    await this.#tell('gateway.close', undefined, {}).catch(() => {});
    this.#port.close();
    this.#over.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** @throws UsageError for no servers, or too many. */
export function openGateway(options: GatewayOptions): Gateway {
  const limits = { ...gatewayLimits, ...options.limits };
  const { length } = options.servers;
  if (length === 0 || length > limits.servers) {
    throw new UsageError(`a gateway is for 1 to ${limits.servers} servers, not for ${length}`);
  }
  const gateway = new RunningGateway(options, limits);
  // Nobody may be waiting for the end when it comes.
  gateway.ended.catch(() => {});
  return gateway;
}
