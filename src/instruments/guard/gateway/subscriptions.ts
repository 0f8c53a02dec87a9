import { asObject, asStrings, type JsonObject } from '../../../base/json-shape.ts';
import { resultOrThrow } from './forward.ts';
import { type Hello, modernKeys, paramsFor } from './hello.ts';
import { joinUri, splitUri } from './labels.ts';
import type { GatewayLimits } from './limits.ts';
import type { LinePort } from './line-port.ts';
import { codes, idKey, type RequestId, RpcError } from './rpc.ts';
import type { ServerLink } from './server-link.ts';

/** Who wants to hear of which changes: clients of either era, of servers of either era. */

/** The part of a filter for each list. */
const flags: Readonly<Record<string, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

interface Stream {
  readonly id: RequestId;
  readonly filter: JsonObject;
  readonly uris: readonly string[];
}

export class Subscriptions {
  readonly #port: LinePort;
  readonly #limits: GatewayLimits;
  readonly #streams = new Map<string, Stream>();
  /** Resources that somebody wants to hear of, by their labelled address; ends what listens to a newer server. */
  readonly #watched = new Map<string, AbortController>();

  constructor(port: LinePort, limits: GatewayLimits) {
    this.#port = port;
    this.#limits = limits;
  }

  /** A newer server speaks of its lists only when it is asked to. */
  watchLists(link: ServerLink, hello: Hello): void {
    if (!link.isModern) return;
    const notifications = Object.fromEntries(
      Object.entries(flags)
        .filter(([kind]) => link.offers(kind))
        .map(([, flag]) => [flag, true]),
    );
    void this.#listen(link, hello, notifications);
  }

  #listen(link: ServerLink, hello: Hello, notifications: JsonObject, signal?: AbortSignal): Promise<unknown> {
    return link.ask(
      'subscriptions/listen',
      {},
      {
        timeoutMs: null,
        params: (id) => paramsFor({ notifications }, true, hello, id),
        ...(signal === undefined ? {} : { signal }),
      },
    );
  }

  /** @throws RpcError where the server does not want it. */
  async watch(link: ServerLink, own: string, hello: Hello): Promise<void> {
    const uri = joinUri(link.label, own);
    if (this.#watched.has(uri)) return;
    if (this.#watched.size >= this.#limits.entries) throw new RpcError(codes.internal, 'too many subscriptions');
    const stop = new AbortController();
    this.#watched.set(uri, stop);
    if (link.isModern) {
      void this.#listen(link, hello, { resourceSubscriptions: [own] }, stop.signal);
      return;
    }
    const reply = await link.ask('resources/subscribe', { uri: own }, { timeoutMs: this.#limits.listMs });
    if (reply.is !== 'result') this.#watched.delete(uri);
    resultOrThrow(link, reply);
  }

  async unwatch(link: ServerLink, own: string): Promise<void> {
    const uri = joinUri(link.label, own);
    const stop = this.#watched.get(uri);
    if (stop === undefined) return;
    this.#watched.delete(uri);
    if (link.isModern) stop.abort();
    else await link.ask('resources/unsubscribe', { uri: own }, { timeoutMs: this.#limits.listMs });
  }

  /** Opens a stream for a newer client. It ends when the client cancels, or with the gateway. */
  open(id: RequestId, params: JsonObject, hello: Hello, find: (label: string) => ServerLink | undefined): void {
    if (this.#streams.size >= this.#limits.subscriptions) throw new RpcError(codes.internal, 'too many subscriptions');
    const wanted = asObject(params.notifications);
    const uris = asStrings(wanted.resourceSubscriptions).slice(0, this.#limits.entries);
    const filter = Object.fromEntries(
      Object.values(flags)
        .filter((flag) => wanted[flag] === true)
        .map((flag) => [flag, true]),
    );
    const honoured: string[] = [];
    for (const uri of uris) {
      const { label, own } = splitUri(uri) ?? { label: '', own: '' };
      const link = find(label);
      if (link === undefined) continue;
      honoured.push(uri);
      void this.watch(link, own, hello).catch(() => {});
    }
    this.#streams.set(idKey(id), { id, filter, uris: honoured });
    const notifications = honoured.length === 0 ? filter : { ...filter, resourceSubscriptions: honoured };
    this.#tell(id, 'notifications/subscriptions/acknowledged', { notifications });
  }

  isOpen(id: unknown): boolean {
    return this.#streams.has(idKey(id));
  }

  close(id: unknown): void {
    this.#streams.delete(idKey(id));
  }

  closeAll(): void {
    for (const { id } of this.#streams.values()) {
      this.#port.send({ id, result: { resultType: 'complete', _meta: { [modernKeys.subscriptionId]: id } } });
    }
    this.#streams.clear();
  }

  listChanged(kind: string, hello: Hello): void {
    const method = `notifications/${kind}/list_changed`;
    if (!hello.isModern) this.#port.send({ method });
    for (const { id, filter } of this.#streams.values())
      if (filter[flags[kind] ?? ''] === true) this.#tell(id, method, {});
  }

  updated(link: ServerLink, params: JsonObject, hello: Hello): void {
    const uri = joinUri(link.label, String(params.uri));
    if (!this.#watched.has(uri)) return;
    const { _meta, ...rest } = params;
    if (!hello.isModern) this.#port.send({ method: 'notifications/resources/updated', params: { ...rest, uri } });
    for (const { id, uris } of this.#streams.values()) {
      if (uris.includes(uri)) this.#tell(id, 'notifications/resources/updated', { ...rest, uri });
    }
  }

  #tell(id: RequestId, method: string, params: JsonObject): void {
    this.#port.send({ method, params: { ...params, _meta: { [modernKeys.subscriptionId]: id } } });
  }
}
