import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { startBanner } from './banner.ts';
import { soundTlsOptions, weakTlsOptions } from './certificate.ts';
import { type Answer, type Asked, findRoute, json, type Route, readBody, send } from './exchange.ts';
import { dressSound, soundRoutes } from './sound.ts';
import { dressWeak, failWeak, weakMethods, weakRoutes } from './weak.ts';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly host: string | null;
  readonly authorization: string | null;
  readonly isEncrypted: boolean;
}

export interface WeakApiOptions {
  /** Addresses to listen on. Default: 127.0.0.1. */
  readonly hosts?: readonly string[];
  /** 0 (the default) takes a free one. */
  readonly port?: number;
  /** Without it, there is none. */
  readonly tlsPort?: number;
  readonly bannerPort?: number;
  /** Host names that it is reached by as well; the sound twin's certificate and Host check know them. */
  readonly names?: readonly string[];
  /** URL out of the scope that redirects and hints name. */
  readonly elsewhere?: string;
  /** The sound twin. */
  readonly sound?: boolean;
  readonly onRequest?: (arrived: Arrived) => void;
}

export interface WeakApi {
  readonly url: string;
  readonly port: number;
  readonly tlsPort: number | null;
  readonly bannerPort: number | null;
  /** Of the sound twin: who signed its certificate. */
  readonly authorityPem: string | null;
  /** Requests so far, as `GET /path`; the newest 10,000. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** What a twin is made of. */
export interface Twin {
  readonly routes: readonly Route[];
  readonly dress: (asked: Asked, answer: Answer) => Answer;
  readonly fail: (error: unknown) => Answer;
  /** Answers to methods that no path has, or null. */
  readonly other: (asked: Asked, methods: readonly string[]) => Answer | null;
}

const mostRemembered = 10_000;
const longestUrl = 32 * 1024;

function refuse(methods: readonly string[]): Answer {
  return methods.length === 0
    ? json(404, { error: 'not found' })
    : json(405, { error: 'method not allowed' }, { allow: methods.join(', ') });
}

async function answerTo(twin: Twin, request: IncomingMessage): Promise<readonly [Asked, Answer]> {
  const method = request.method ?? 'GET';
  const target = URL.parse(request.url ?? '/', 'http://api.invalid') ?? new URL('http://api.invalid/');
  const body = await readBody(request);
  const { route, parts, methods } = findRoute(twin.routes, method, target.pathname);
  const asked: Asked = {
    method,
    path: target.pathname,
    query: target.searchParams,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: body ?? Buffer.alloc(0),
    isEncrypted: 'encrypted' in request.socket,
    parts,
  };
  if (body === null) return [asked, json(413, { error: 'too large' })];
  try {
    return [asked, (await route?.handle(asked)) ?? twin.other(asked, methods) ?? refuse(methods)];
  } catch (error) {
    return [asked, twin.fail(error)];
  }
}

function listen(server: NetServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Every address gets the port that the first one got. */
async function listenAll(make: () => NetServer, hosts: readonly string[], port: number): Promise<number> {
  let chosen = port;
  for (const host of hosts) chosen = await listen(make(), chosen, host);
  return chosen;
}

export async function startWeakApi(options: WeakApiOptions = {}): Promise<WeakApi> {
  const {
    hosts = ['127.0.0.1'],
    port = 0,
    names = [],
    elsewhere = 'http://203.0.113.66/caught',
    sound = false,
  } = options;
  const known = [...hosts, ...names];
  const twin: Twin = sound
    ? {
        routes: soundRoutes(known),
        dress: dressSound,
        fail: () => json(500, { error: 'internal error' }),
        other: () => null,
      }
    : { routes: weakRoutes(elsewhere), dress: dressWeak, fail: failWeak, other: weakMethods };
  const requests: string[] = [];
  const servers = new Set<NetServer>();
  const sockets = new Set<Socket>();
  const follow = <Kind extends NetServer>(server: Kind): Kind => {
    servers.add(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    });
    return server;
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', headers } = request;
    const url = (request.url ?? '').slice(0, longestUrl);
    requests.push(`${method} ${url}`);
    if (requests.length > mostRemembered) requests.shift();
    options.onRequest?.({
      method,
      url,
      host: headers.host ?? null,
      authorization: headers.authorization ?? null,
      isEncrypted: 'encrypted' in request.socket,
    });
    response.on('error', () => undefined);
    answerTo(twin, request).then(
      ([asked, answer]) => send(response, twin.dress(asked, answer), asked.method),
      () => response.destroy(),
    );
  };
  const limits = { maxHeaderSize: 64 * 1024, keepAliveTimeout: 5000 };
  const close = async (): Promise<void> => {
    const ends = [...servers].map((server) => new Promise<void>((resolve) => void server.close(() => resolve())));
    for (const socket of sockets) socket.destroy();
    await Promise.all(ends);
  };
  try {
    const plain = await listenAll(() => follow<Server>(createServer(limits, serve)), hosts, port);
    const tls = options.tlsPort === undefined ? null : sound ? soundTlsOptions(known) : weakTlsOptions();
    const tlsPort =
      tls === null
        ? null
        : await listenAll(
            () => follow(createTlsServer({ ...limits, ...tls.options }, serve)),
            hosts,
            options.tlsPort ?? 0,
          );
    const bannerPort =
      options.bannerPort === undefined
        ? null
        : await listenAll(() => follow(startBanner(sound)), hosts, options.bannerPort);
    const [first = '127.0.0.1'] = hosts;
    const url = `http://${first.includes(':') ? `[${first}]` : first}:${plain}`;
    return { url, port: plain, tlsPort, bannerPort, authorityPem: tls?.authorityPem ?? null, requests, close };
  } catch (error) {
    await close();
    throw error;
  }
}
