import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, UsageError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { type AnswerId, sendAnswer } from './answers.ts';
import type { HttpFront, HttpFrontOptions, ListenWishes } from './contract.ts';
import { Exchange, type ExchangeContext } from './exchange.ts';
import { hasToken, hostNames, isHostAllowed, isLoopback, isOriginAllowed } from './hosts.ts';
import { type FrontLimits, usualFrontLimits } from './limits.ts';
import { Paths } from './paths.ts';
import { Sessions } from './sessions.ts';
import { untilRead } from './write.ts';

/**
 * A port of this machine that stands for a server in a box.
 *
 *     client ── POST, GET, DELETE ── host, origin, token, path ── gate ── request ── server in the box
 *            ◄─ JSON or events ───────────────── gate ◄──────────────────┘
 */

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);

function checkListen({ host, token }: ListenWishes): void {
  if ((token ?? '') !== '' || isLoopback(host)) return;
  throw new UsageError(`others reach ${host}, and there is no token`, {
    hint: 'listen on 127.0.0.1, or give a token that clients have to say',
  });
}

function makeServer(limits: FrontLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.bodyMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(secondMs, limits.headersMs),
    insecureHTTPParser: false,
    requireHostHeader: true,
  });
  server.maxHeadersCount = limits.headerCount;
  return server;
}

async function listen(server: Server, { host, port }: ListenWishes): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new UsageError(`cannot listen on port ${port} of ${host}: ${describeError(error)}`, {
      hint: 'choose another port, or 0 for any that is free',
    });
  }
  server.removeAllListeners('error');
  server.on('error', () => undefined);
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : port;
}

/** @throws UsageError for an address that would be open to strangers, and for one that cannot be had. */
export async function openHttpFront(options: HttpFrontOptions): Promise<HttpFront> {
  const { listen: wishes, request, openGate, tell = () => undefined } = options;
  checkListen(wishes);
  const token = wishes.token ?? '';
  const limits = { ...usualFrontLimits, ...options.limits };
  const sessions = new Sessions(openGate, limits.sessions);
  const paths = new Paths(options.path);
  const names = hostNames(wishes.host, wishes.hostNames ?? []);
  const context: ExchangeContext = { request, sessions, paths, limits, isTokenOurs: token !== '', tell };
  const sockets = new Set<Socket>();
  let exchanges = 0;
  let isEnding = false;

  const turnAway = ({ headers, method = '', url = '' }: IncomingMessage): AnswerId | null => {
    if (!isHostAllowed(headers.host, names)) return 'host';
    if (!isOriginAllowed(headers.origin, names)) return 'origin';
    if (token !== '' && !hasToken(headers.authorization, token)) return 'token';
    if (isEnding) return 'ending';
    if (!paths.isServed(url)) return 'path';
    if (!methods.has(method)) return 'method';
    if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return 'contentType';
    return exchanges >= limits.exchanges ? 'busy' : null;
  };

  const handle = (asked: IncomingMessage, response: ServerResponse): void => {
    const refused = turnAway(asked);
    if (refused !== null) {
      sendAnswer(response, refused);
      return;
    }
    exchanges += 1;
    new Exchange(context, asked, response)
      .run()
      .catch((error: unknown) => {
        tell(describeError(error));
        sendAnswer(response, 'internal');
      })
      .then(() => untilRead(response, limits.stalledMs))
      .finally(() => {
        exchanges -= 1;
      });
  };

  const server = makeServer(limits);
  server.on('request', handle);
  server.on('connection', (socket: Socket) => {
    if (sockets.size >= limits.connections) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listen(server, wishes);
  const shown = isIP(wishes.host) === 6 ? `[${wishes.host}]` : wishes.host;

  const close = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeAllConnections();
    await Promise.race([closed, sleep(limits.closeMs, undefined, { ref: false })]);
    sessions.close();
  };

  return {
    url: `http://${shown}:${port}${options.path ?? '/mcp'}`,
    port,
    counts: () => ({ connections: sockets.size, exchanges, sessions: sessions.size }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
