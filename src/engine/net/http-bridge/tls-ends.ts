import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { TargetError } from '../../../base/errors.ts';
import { addressBytes } from '../addresses.ts';
import { type CertificateMaker, certificateHost } from '../certificates/authority.ts';
import { isSameHost } from '../egress/greeting.ts';
import type { ClientHello } from '../tls/client-hello.ts';

/** TLS towards the box with a certificate of ours, and towards the target as the box would have had it. */

const spoken = 'http/1.1';
const mostKept = 64;

function describe(error: NodeJS.ErrnoException): string {
  return error.code ?? 'failed';
}

/** An end that came before TLS was put on the socket is seen by nobody else. */
function whenOver(socket: Socket, over: () => void): void {
  if (socket.readableEnded) over();
  else socket.once('end', over);
}

/** Null without a name. Throws a TargetError when it is not that of the connection. */
export function readServerName({ serverName }: ClientHello, host: string): string | null {
  if (serverName === null) return null;
  const named = certificateHost(serverName);
  if (named === null || addressBytes(named) !== null) throw new TargetError('a malformed server name');
  // For an address any name will do here: the requests that come have to be for it, and are judged.
  if (addressBytes(host) === null && !isSameHost(named, host)) throw new TargetError('another server name');
  return named;
}

/** Its certificate is not looked at: what a scanner is sent to may well have a bad one, or speak an old version. */
export function openTowardsTarget(
  socket: Socket,
  hello: ClientHello,
  serverName: string | null,
  timeoutMs: number,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
      secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
      ...(serverName === null ? {} : { servername: serverName }),
      ...(hello.alpn.length === 0 ? {} : { ALPNProtocols: [spoken] }),
    });
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new TargetError(`upstream: handshake: ${why}`));
    };
    const timer = setTimeout(() => fail('too slow'), timeoutMs);
    secure.once('error', (error: NodeJS.ErrnoException) => fail(describe(error)));
    for (const event of ['end', 'close']) secure.once(event, () => fail('closed'));
    whenOver(socket, () => fail('closed'));
    secure.once('secureConnect', () => {
      clearTimeout(timer);
      resolve(secure);
    });
  });
}

/** Shows the box certificates; signs one for each host, and keeps those that were used last. */
export class BoxSide {
  readonly #maker: CertificateMaker;
  readonly #options = new Map<string, TlsOptions>();

  constructor(maker: CertificateMaker) {
    this.#maker = maker;
  }

  #optionsFor(host: string, isNamed: boolean): TlsOptions {
    const key = `${isNamed ? 'name' : 'address'} ${host}`;
    const known = this.#options.get(key) ?? this.#maker.optionsFor([host], isNamed);
    this.#options.delete(key);
    this.#options.set(key, known);
    const [oldest] = this.#options.keys();
    if (this.#options.size > mostKept && oldest !== undefined) this.#options.delete(oldest);
    return known;
  }

  /** The server never listens: it only shakes hands, with this one. */
  open(socket: Socket, serverName: string | null, address: string, handshakeTimeout: number): Promise<TLSSocket> {
    const options = this.#optionsFor(serverName ?? address, serverName !== null);
    const server = createServer({ ...options, ALPNProtocols: [spoken], handshakeTimeout });
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new TargetError(`box: handshake: ${why}`));
      server.once('secureConnection', (secure) => {
        secure.allowHalfOpen = true;
        resolve(secure);
      });
      server.on('tlsClientError', (error: NodeJS.ErrnoException) => fail(describe(error)));
      socket.once('close', () => fail('closed'));
      whenOver(socket, () => fail('closed'));
      // Until hands are shaken, a box that stops talking has left.
      socket.allowHalfOpen = false;
      server.emit('connection', socket);
    });
  }
}
