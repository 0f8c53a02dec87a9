import { asString, type JsonObject } from '../../../base/json-shape.ts';
import type { Hello } from './hello.ts';
import type { GatewayLimits } from './limits.ts';
import type { LinePort } from './line-port.ts';
import { codes, idKey, isId, type Reply, type RequestId } from './rpc.ts';
import type { ServerLink } from './server-link.ts';

/** What servers ask of the client, under ids of ours, so that no server can answer, cancel or claim another's. */

/** What the client must have said it can do. */
const needed: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

interface Asked {
  readonly id: string;
  readonly link: ServerLink;
  /** Of the server; null where the gateway asks in its place. */
  readonly serverId: RequestId | null;
  readonly progressToken: unknown;
  readonly settle: (reply: Reply) => void;
}

export class ClientAsks {
  readonly #port: LinePort;
  readonly #limits: GatewayLimits;
  readonly #asked = new Map<string, Asked>();
  #next = 1;

  constructor(port: LinePort, limits: GatewayLimits) {
    this.#port = port;
    this.#limits = limits;
  }

  /** Asks on behalf of a server. A reply that is no result says why in words for the server. */
  ask(
    link: ServerLink,
    method: string,
    params: JsonObject,
    hello: Hello | null,
    serverId: RequestId | null,
  ): Promise<Reply> {
    const error = (code: number, message: string): Promise<Reply> =>
      Promise.resolve({ is: 'error', error: { code, message } });
    const capability = needed[method];
    if (capability === undefined || hello?.capabilities[capability] === undefined) {
      return error(codes.methodNotFound, 'the client cannot do this');
    }
    if ([...this.#asked.values()].filter((one) => one.link === link).length >= this.#limits.serverRequests) {
      return error(codes.internal, 'too many requests are waiting for the client');
    }
    const id = `hotcell-${this.#next}`;
    this.#next += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#port.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'no answer in time' } });
        settle({ is: 'none', because: 'the client did not answer in time' });
      }, this.#limits.clientMs);
      const settle = (reply: Reply): void => {
        clearTimeout(timer);
        this.#asked.delete(id);
        resolve(reply);
      };
      const { _meta, ...rest } = params;
      const { progressToken, ...meta } = (_meta ?? {}) as JsonObject;
      this.#asked.set(id, { id, link, serverId, progressToken, settle });
      this.#port.send({
        id,
        method,
        params: {
          ...rest,
          ...labelled(method, rest, link),
          ...(_meta === undefined
            ? {}
            : { _meta: progressToken === undefined ? meta : { ...meta, progressToken: id } }),
        },
      });
    });
  }

  /** False where nothing like this was asked. */
  answer(id: unknown, reply: Reply): boolean {
    const asked = typeof id === 'string' ? this.#asked.get(id) : undefined;
    asked?.settle(reply);
    return asked !== undefined;
  }

  /** The client is getting on with what a server asked. */
  progress(params: JsonObject): void {
    const asked = this.#asked.get(asString(params.progressToken) ?? '');
    if (asked?.progressToken !== undefined) {
      asked.link.notify('notifications/progress', { ...params, progressToken: asked.progressToken });
    }
  }

  /** A server does not want to know any more. */
  cancel(link: ServerLink, params: JsonObject): void {
    if (!isId(params.requestId)) return;
    const wanted = idKey(params.requestId);
    for (const asked of [...this.#asked.values()]) {
      if (asked.link === link && asked.serverId !== null && idKey(asked.serverId) === wanted)
        this.#withdraw(asked, asString(params.reason));
    }
  }

  /** A server is gone: nobody waits for these. */
  forget(link: ServerLink): void {
    for (const asked of [...this.#asked.values()]) if (asked.link === link) this.#withdraw(asked, 'the server is gone');
  }

  #withdraw({ id, settle }: Asked, reason = 'cancelled'): void {
    this.#port.send({ method: 'notifications/cancelled', params: { requestId: id, reason: reason.slice(0, 500) } });
    settle({ is: 'none', because: 'cancelled' });
  }
}

/** A person who is asked has to see who asks. */
export function labelled(method: string, params: JsonObject, link: ServerLink): JsonObject {
  const message = asString(params.message);
  return method === 'elicitation/create' && message !== undefined ? { message: `[${link.label}] ${message}` } : {};
}
