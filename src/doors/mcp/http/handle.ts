import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { describeError } from '../../../base/errors.ts';
import type { Log } from '../log.ts';
import { type RefusalId, refusals, sendRefusal } from './answers.ts';
import { readBody } from './body.ts';
import { clientKey } from './client-key.ts';
import { type HostRule, isHostAllowed, isOriginAllowed } from './hosts.ts';
import type { HttpLimits } from './limits.ts';
import type { Protocol } from './protocol.ts';
import { Quota } from './quota.ts';
import { Rate } from './rate.ts';
import { sendWebResponse, toWebRequest } from './web-exchange.ts';

/** From a request on the wire to the protocol: who may come in, how often, and with how much. */

export interface HandlerOptions {
  readonly protocol: Protocol;
  readonly hosts: HostRule;
  /** Null where everybody may come in. */
  readonly hasToken: ((header: string | undefined) => boolean) | null;
  readonly limits: HttpLimits;
  readonly log: Log;
  readonly isEnding: () => boolean;
}

export interface Handler {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Requests under way, streams that sessions listen on left out. */
  underWay(): number;
}

const served: readonly string[] = ['GET', 'POST', 'DELETE'];

export function makeHandler(options: HandlerOptions): Handler {
  const { protocol, hosts, hasToken, limits, log, isEnding } = options;
  const rate = new Rate(limits.rate);
  const failures = new Rate(limits.failureRate);
  const requests = new Quota(limits.requests);
  const bodies = new Quota(limits.bodies);

  /** Before anything of the body is looked at. */
  const turnAway = ({ headers, method = '' }: IncomingMessage, path: string, client: string): RefusalId | null => {
    if (!isHostAllowed(headers.host, hosts)) return 'host';
    if (!isOriginAllowed(headers.origin, hosts)) return 'origin';
    if (path !== '/mcp' && path !== '/healthz') return 'path';
    if (path === '/healthz') return method === 'GET' || method === 'HEAD' ? null : 'method';
    // Only failures are counted here: whoever guesses does not shut out who knows.
    if (hasToken !== null && !hasToken(headers.authorization)) return failures.take(client) ? 'token' : 'failures';
    if (isEnding()) return 'ending';
    if (!served.includes(method)) return 'method';
    if (!rate.take(client)) return 'rate';
    if (method === 'POST' && !isJsonContentType(headers['content-type'] ?? null)) return 'contentType';
    return null;
  };

  const readJson = async (request: IncomingMessage, client: string): Promise<{ body: unknown } | RefusalId> => {
    const declared = Number(request.headers['content-length'] ?? limits.bodyBytes);
    const release = bodies.take(client, Math.min(Number.isFinite(declared) ? declared : 0, limits.bodyBytes));
    if (release === null) return 'bodies';
    try {
      const read = await readBody(request, limits.bodyBytes);
      return 'refused' in read ? read.refused : { body: JSON.parse(read.text) as unknown };
    } catch {
      return 'json';
    } finally {
      release();
    }
  };

  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
  ): Promise<RefusalId | null> => {
    // A stream that a session listens on stays open as long as the session: those are counted there.
    const release = request.method === 'GET' ? () => {} : requests.take(client);
    if (release === null) return 'requests';
    response.once('close', release);
    const read = request.method === 'POST' ? await readJson(request, client) : { body: undefined };
    if (typeof read === 'string') return read;
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    if (response.destroyed) return null;
    const answer = await protocol.answer({
      request: toWebRequest(request, gone.signal),
      body: read.body,
      client,
      onEnd: (listener) => void (response.closed ? listener() : response.once('close', listener)),
    });
    if (typeof answer === 'string') return answer;
    await sendWebResponse(answer, response, limits.stalledMs);
    return null;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const client = clientKey(request.socket.remoteAddress);
    const [path = ''] = (request.url ?? '').split('?');
    const refuse = (id: RefusalId): void => {
      log.info('refused', { client, status: refusals[id].status, because: refusals[id].message });
      sendRefusal(response, id);
    };
    const refused = turnAway(request, path, client);
    if (refused !== null) return refuse(refused);
    if (path === '/healthz') {
      const status = isEnding() ? 503 : 200;
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : `{"status":"${isEnding() ? 'ending' : 'ok'}"}\n`);
      return;
    }
    const late = await serve(request, response, client);
    if (late !== null) refuse(late);
    else log.debug('request', { client, method: request.method, status: response.statusCode });
  };

  return {
    underWay: () => requests.total,
    handle: (request, response) => {
      handle(request, response).catch((error: unknown) => {
        // A client that went away is the usual reason, and nobody's fault.
        if (!response.destroyed) log.info('failed', { because: describeError(error) });
        sendRefusal(response, 'internal');
      });
    },
  };
}
