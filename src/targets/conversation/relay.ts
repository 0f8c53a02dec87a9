import { spawn } from 'node:child_process';
import { Duplex, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { HostError } from '../../base/errors.ts';
import { toolEnvironment } from '../../base/process.ts';
import { makeRequest, type RequestFunction } from './http-request.ts';

/**
 * The way to a server that listens inside a box: the network of the box is not ours, so for each connection a small
 * process of ours goes there and carries its bytes.
 *
 *     node:http ── stdin/stdout ── relay.pl │ 127.0.0.1:PORT ── server
 *                                  network of the box
 */

const interpreter = '/usr/bin/perl';
const program = fileURLToPath(new URL('../../../native/relay.pl', import.meta.url));

export interface Relay extends AsyncDisposable {
  readonly url: URL;
  readonly request: RequestFunction;
  connect(): Duplex;
  /** Ends all connections, and waits for their processes. */
  close(): Promise<void>;
}

export interface RelayOptions {
  /** The file that stands for the network of the box. */
  readonly network: string;
  readonly port: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Connections at a time; beyond it new ones fail. */
  readonly mostConnections?: number;
}

/** A process that has ended takes no more bytes, which is no reason to leave unread what it said before. */
function writingTo(stdin: Writable): Writable {
  stdin.on('error', () => undefined);
  return new Writable({
    write: (chunk, _encoding, done) => void stdin.write(chunk, () => done()),
    final: (done) => void stdin.end(() => done()),
  });
}

export function openRelay({ network, port, path = '/', headers = {}, mostConnections = 16 }: RelayOptions): Relay {
  const open = new Map<Duplex, Promise<void>>();
  const url = new URL(path, `http://127.0.0.1:${port}`);
  const connect = (): Duplex => {
    if (open.size >= mostConnections) throw new HostError(`relay: more than ${mostConnections} connections at a time`);
    const child = spawn('nsenter', [`--net=${network}`, '--', interpreter, program, String(port)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: toolEnvironment,
    });
    const socket = Duplex.from({ writable: writingTo(child.stdin), readable: child.stdout });
    const ended = Promise.withResolvers<void>();
    open.set(socket, ended.promise);
    const forget = (): void => {
      open.delete(socket);
      ended.resolve();
    };
    child.once('error', (cause) => {
      socket.destroy(new HostError(`relay: ${cause.message}`, { cause }));
      forget();
    });
    child.once('exit', (code) => {
      if (code === 1) socket.destroy(new Error(`nobody listens on port ${port}`));
      forget();
    });
    socket.once('close', () => child.kill('SIGKILL'));
    socket.on('error', () => undefined);
    return socket;
  };
  const close = async (): Promise<void> => {
    const all = [...open];
    for (const [socket] of all) socket.destroy();
    await Promise.all(all.map(([, ended]) => ended));
  };
  return { url, request: makeRequest({ url, headers, connect }), connect, close, [Symbol.asyncDispose]: close };
}
