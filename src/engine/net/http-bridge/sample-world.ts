import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket, Server as TlsServer } from 'node:tls';
import { type Authority, CertificateMaker, createAuthority } from '../certificates/authority.ts';
import type { Bridged } from '../egress/bridge.ts';
import { defaultEgressLimits, type EgressLimits } from '../egress/limits.ts';
import { httpBridge } from './bridge.ts';
import type { BridgedRequest, HttpBridgeOptions, RequestOutcome } from './contract.ts';

/** For tests: a target on loopback, and a port in front of it whose connections pass a bridge. */

export type Scheme = 'http' | 'https';

export interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly string[];
  readonly bodyBytes: number;
}

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const targetCertificates = new CertificateMaker(createAuthority());

/** Answers every request with what `answer` makes of it, and notes what it got. */
export function makeTarget(scheme: Scheme, got: Got[], answer: RequestListener): HttpServer {
  const note: RequestListener = (request, response) => {
    let bodyBytes = 0;
    request.on('error', () => undefined);
    request.on('data', (bytes: Buffer) => {
      bodyBytes += bytes.length;
    });
    request.on('end', () => {
      const { method = '', url = '', rawHeaders } = request;
      got.push({ method, url, headers: rawHeaders, bodyBytes });
      answer(request, response);
    });
  };
  if (scheme === 'http') return createHttpServer(note);
  return createHttpsServer({ ...targetCertificates.optionsFor(['127.0.0.1'], false) }, note);
}

export interface WorldOptions extends Partial<Omit<HttpBridgeOptions, 'authority'>> {
  readonly limits?: Partial<EgressLimits>;
  readonly host?: string;
}

export class World {
  readonly authority: Authority = createAuthority();
  readonly requests: (readonly [BridgedRequest, RequestOutcome])[] = [];
  readonly bridged: Bridged[] = [];
  readonly sockets: Socket[] = [];
  /** The target's ends, with TLS where it has that. */
  readonly targets: Socket[] = [];
  readonly #target: Server;
  readonly #front: Server;
  port = 0;

  private constructor(target: Server, front: Server) {
    this.#target = target;
    this.#front = front;
  }

  static async open(target: Server, options: WorldOptions = {}): Promise<World> {
    const front = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    const world = new World(target, front);
    const isTls = target instanceof TlsServer;
    target.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => void world.targets.push(socket));
    const targetPort = await listen(target);
    const { limits, host = '127.0.0.1', ...rest } = options;
    const bridge = httpBridge({
      authority: world.authority,
      judge: () => null,
      pace: async () => undefined,
      onRequest: (request, outcome) => void world.requests.push([request, outcome]),
      ...rest,
    });
    front.on('connection', (box) => {
      const upstream = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
      world.sockets.push(box, upstream);
      upstream.once('connect', () => {
        const ends = { box, upstream, host, port: world.port, address: '127.0.0.1' };
        world.bridged.push(bridge({ ...ends, limits: { ...defaultEgressLimits, ...limits } }));
        front.emit('bridged');
      });
    });
    world.port = await listen(front);
    return world;
  }

  /** The box's end of a connection. */
  async connect(scheme: Scheme, options: ConnectionOptions = {}): Promise<Socket | TLSSocket> {
    const raw = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
    this.sockets.push(raw.on('error', () => undefined));
    if (this.bridged.length === 0) await once(this.#front, 'bridged');
    if (scheme === 'http') return raw;
    const secure = connectTls({ socket: raw, ca: this.authority.certificatePem, host: '127.0.0.1', ...options });
    return secure.on('error', () => undefined);
  }

  /** How the only connection ended. */
  async ended(): Promise<string | null> {
    const [only] = this.bridged;
    if (only === undefined) throw new Error('no connection');
    return await only.ended;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#front.close();
    this.#target.close();
    await Promise.all(this.bridged.map(({ ended }) => ended));
  }
}

/** All that comes until the end of the stream, whichever it is. */
export async function readAll(stream: Socket): Promise<string> {
  let text = '';
  stream.setEncoding('latin1');
  stream.on('data', (more: string) => {
    text += more;
  });
  await new Promise<void>((resolve) => {
    stream.once('end', resolve);
    stream.once('close', () => resolve());
  });
  return text;
}

/** Until something has been said that has all of these in it. */
export async function readUntil(stream: Socket, part: string): Promise<string> {
  let text = '';
  while (!text.includes(part)) {
    const bytes = stream.read() as Buffer | null;
    if (bytes !== null) text += bytes.toString('latin1');
    else if (stream.destroyed || stream.readableEnded) return `${text}[ended]`;
    else await Promise.race([once(stream, 'readable'), once(stream, 'close')]);
  }
  return text;
}
