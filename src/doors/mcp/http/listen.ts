import { lookup } from 'node:dns/promises';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, UsageError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import type { ServerFactory } from '../build-server.ts';
import type { Log } from '../log.ts';
import { clientKey } from './client-key.ts';
import { makeHandler } from './handle.ts';
import { hostRule, isLoopback } from './hosts.ts';
import { type HttpLimits, usualHttpLimits } from './limits.ts';
import { openProtocol } from './protocol.ts';
import { Quota } from './quota.ts';
import { tokenCheck } from './token.ts';

export interface HttpWishes {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Null: everybody who reaches the port may call. Anywhere but on loopback that has to be said in so many words. */
  readonly token: string | null;
  readonly isOpenToAll: boolean;
  /** Names beside the bound one that clients may call us by. */
  readonly hostNames: readonly string[];
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
  readonly makeServer: ServerFactory;
  readonly log: Log;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpDoor {
  readonly url: string;
  readonly port: number;
  /** For tests and for the log: what is held right now. */
  counts(): { readonly sessions: number; readonly connections: number };
  /** Takes nobody in any more, ends what is under way, and is over in time whatever happens. */
  close(): Promise<void>;
}

async function resolveAddress(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw new UsageError(`--http-host ${host}: ${describeError(error)}`);
  }
}

/** Node's own limits: they end whoever sends a request one byte at a time, or headers without end. */
function serverOptions(limits: HttpLimits): ServerOptions {
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(secondMs, limits.headersMs),
    insecureHTTPParser: false,
    requireHostHeader: true,
  };
}

function limitConnections(server: Server, limits: HttpLimits): Quota {
  const connections = new Quota(limits.connections);
  server.maxHeadersCount = limits.headerCount;
  server.on('connection', (socket: Socket) => {
    const release = connections.take(clientKey(socket.remoteAddress));
    if (release === null) socket.destroy();
    else socket.once('close', release);
  });
  return connections;
}

async function listen(server: Server, address: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host: address, port }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new UsageError(`cannot listen on port ${port} of ${address}: ${describeError(error)}`, {
      hint: 'choose another with --http-port, or 0 for any that is free',
    });
  }
  server.removeAllListeners('error');
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : port;
}

async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}

const lookAgainMs = 20;

async function until(isSo: () => boolean, timeoutMs: number): Promise<void> {
  for (let waited = 0; !isSo() && waited < timeoutMs; waited += lookAgainMs) await sleep(lookAgainMs);
}

/** @throws UsageError for an address that would be open to strangers, and for one that cannot be had. */
export async function openHttpDoor(wishes: HttpWishes): Promise<HttpDoor> {
  const limits = { ...usualHttpLimits, ...wishes.limits };
  const address = await resolveAddress(wishes.host);
  if (wishes.token === null && !wishes.isOpenToAll && !isLoopback(address)) {
    throw new UsageError(`--http-host ${wishes.host}: others reach this address, and there is no token`, {
      hint: 'set MCP_TOKEN or --http-token; --insecure-no-auth lets everybody in',
    });
  }
  const { log, makeServer, tls } = wishes;
  const onError = (error: Error): void => log.debug('protocol', { because: error.message });
  const protocol = openProtocol({ makeServer, limits, onError });
  let isEnding = false;
  const handler = makeHandler({
    protocol,
    hosts: hostRule(wishes.host, [address, ...wishes.hostNames]),
    hasToken: wishes.token === null ? null : tokenCheck(wishes.token),
    limits,
    log,
    isEnding: () => isEnding,
  });
  const options = serverOptions(limits);
  const server: Server =
    tls === null
      ? createServer(options, handler.handle)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersMs }, handler.handle);
  const connections = limitConnections(server, limits);
  const port = await listen(server, address, wishes.port).catch(async (error: unknown) => {
    await protocol.close();
    throw error;
  });
  server.on('error', onError);
  const shown = isIP(wishes.host) === 6 ? `[${wishes.host}]` : wishes.host;

  return {
    url: `${tls === null ? 'http' : 'https'}://${shown}:${port}/mcp`,
    port,
    counts: () => ({ sessions: protocol.sessions.size, connections: connections.total }),
    close: async () => {
      if (isEnding) return;
      isEnding = true;
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      // What was cancelled still gets its answer: a client that hears nothing would wait for it.
      await withinTime(
        until(() => handler.underWay() === 0, limits.shutdownMs / 2),
        limits.shutdownMs / 2,
      );
      await withinTime(protocol.close(), limits.shutdownMs / 4);
      await withinTime(closed, limits.shutdownMs / 4);
      server.closeAllConnections();
    },
  };
}
