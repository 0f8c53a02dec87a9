import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { type BodySink, isEventStream, readBody } from './http-body.ts';
import type { RequestFunction } from './http-request.ts';
import type { ConversationLimits } from './limits.ts';

/** The older form of MCP over HTTP: a GET opens a stream of events, whose first one, `endpoint`, says where to post. */

export interface ChannelEnds {
  readonly url: URL;
  readonly request: RequestFunction;
}

export interface ChannelSink extends BodySink {
  ended(): void;
  refused(because: string): void;
}

const longestEndpoint = 4096;

/** Null for an address somewhere else: no server sends us to another. */
export function endpointPath(data: string, url: URL): string | null {
  if (data.length > longestEndpoint || !URL.canParse(data, url.href)) return null;
  const endpoint = new URL(data, url);
  return endpoint.origin === url.origin ? `${endpoint.pathname}${endpoint.search}` : null;
}

export class SseChannel {
  readonly path: string;
  readonly #stop: AbortController;

  private constructor(path: string, stop: AbortController) {
    this.path = path;
    this.#stop = stop;
  }

  /** Null where the server has no such stream. */
  static async open({ url, request }: ChannelEnds, limits: ConversationLimits, sink: ChannelSink) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), limits.endpointMs);
    const found = Promise.withResolvers<string | null>();
    stop.signal.addEventListener('abort', () => found.resolve(null), { once: true });
    const path = `${url.pathname}${url.search}`;
    const headers = { accept: 'text/event-stream', 'cache-control': 'no-cache' };
    let isOpen = false;
    try {
      const response = await request({ method: 'GET', path, headers, body: '', signal: stop.signal });
      if (response.status !== 200 || !isEventStream(response)) {
        stop.abort();
        return null;
      }
      const event = (name: string, data: Buffer): void => {
        if (name !== 'endpoint') {
          sink.event?.(name, data);
          return;
        }
        const text = data.toString('utf8').trim();
        const endpoint = endpointPath(text, url);
        if (endpoint === null) sink.refused(`an endpoint somewhere else: ${forTerminal(untrusted(text, 200))}`);
        found.resolve(endpoint);
      };
      void readBody(response, { ...sink, event }, limits.frameBytes)
        .catch(() => undefined)
        .then(() => {
          found.resolve(null);
          if (isOpen) sink.ended();
        });
      const endpoint = await found.promise;
      isOpen = endpoint !== null;
      if (endpoint === null) stop.abort();
      return endpoint === null ? null : new SseChannel(endpoint, stop);
    } catch {
      stop.abort();
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#stop.abort();
  }
}
