import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { canonicalAddress } from '../addresses.ts';
import type { AskedAddress } from '../event.ts';
import type { Conversation, StreamListener, TlsFacts, World } from '../listener.ts';
import { streamListeners } from '../listeners.ts';
import { lookAtFirstBytes } from '../stream/first-bytes.ts';
import type { Recorder } from './recorder.ts';

/** Every TCP connection of the box: found a listener by its port or by what it says first, and served to its end. */

const mostTastedBytes = 64 * 1024;
const deepestNesting = 4;

/** The listener whose taste says yes, once no other that stands before it wants more. */
export function chooseByTaste(bytes: Buffer, tls: TlsFacts | null): StreamListener | null {
  for (const listener of streamListeners) {
    const taste = listener.taste(bytes, tls);
    if (taste === 'yes') return listener;
    if (taste === 'more') return null;
  }
  return null;
}

async function findListener(socket: Duplex, port: number, tls: TlsFacts | null, world: World): Promise<StreamListener> {
  const claimed = streamListeners.find((listener) => listener.claims(port, tls));
  if (claimed !== undefined) return claimed;
  const limits = { timeoutMs: world.config.caps.tasteMs, capBytes: mostTastedBytes };
  const bytes = await lookAtFirstBytes(socket, (seen) => chooseByTaste(seen, tls) !== null, limits);
  const chosen = bytes.length === 0 ? null : chooseByTaste(bytes, tls);
  const last = streamListeners.at(-1);
  if (chosen !== null) return chosen;
  if (last === undefined) throw new TypeError('there are no listeners');
  return last;
}

interface Stage {
  readonly socket: Duplex;
  readonly asked: AskedAddress;
  readonly tls: TlsFacts | null;
  readonly depth: number;
}

export class StreamServer {
  readonly #world: World;
  readonly #recorder: Recorder;
  readonly #servers: Server[] = [];
  readonly #open = new Set<Socket>();
  readonly #serving = new Set<Promise<void>>();

  constructor(world: World, recorder: Recorder) {
    this.#world = world;
    this.#recorder = recorder;
  }

  async listen(fd: number): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      const done: Promise<void> = this.#accept(socket).finally(() => this.#serving.delete(done));
      this.#serving.add(done);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ fd }, resolve);
    });
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', () => {
      // A reset by the box is an end like any other; it is seen as the close below.
    });
    const { caps } = this.#world.config;
    const address = canonicalAddress(socket.localAddress ?? '');
    const asked = { address, port: socket.localPort ?? 0, name: this.#world.names.nameOf(address) };
    const peer = { address: canonicalAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 };
    const connection = this.#recorder.nextConnection();
    const source = { transport: 'tcp', connection, peer, asked, isInsideTls: false } as const;
    if (this.#open.size >= caps.connections) {
      socket.destroy();
      await this.#recorder.record(source, 'limit-hit', { fields: { limit: 'connections', most: caps.connections } });
      return;
    }
    this.#open.add(socket);
    socket.setTimeout(caps.idleMs, () => socket.destroy());
    await this.#recorder.record(source, 'connection-open');
    let problem: string | null = null;
    try {
      await this.#serve({ socket, asked, tls: null, depth: 0 }, connection, peer);
    } catch (error) {
      problem = (error instanceof Error ? error.message : String(error)).slice(0, 300);
      socket.destroy();
    }
    // What has been answered still has to get out; the peer closes, or the idle timer does.
    if (!socket.closed) await new Promise<void>((resolve) => void socket.resume().once('close', resolve));
    this.#open.delete(socket);
    const { bytesRead, bytesWritten } = socket;
    await this.#recorder.record(source, 'connection-close', { fields: { bytesRead, bytesWritten, problem } });
  }

  async #serve(stage: Stage, connection: number, peer: Conversation['peer']): Promise<void> {
    const { socket, asked, tls, depth } = stage;
    const source = { transport: 'tcp', connection, peer, asked, isInsideTls: tls !== null } as const;
    if (depth > deepestNesting) {
      await this.#recorder.record(source, 'limit-hit', { fields: { limit: 'nesting', most: deepestNesting } });
      socket.destroy();
      return;
    }
    const listener = await findListener(socket, asked.port, tls, this.#world);
    await listener.serve({
      world: this.#world,
      connection,
      peer,
      asked,
      socket,
      tls,
      record: (kind, details) => this.#recorder.record(source, kind, details),
      continueWith: (inner, change) =>
        this.#serve(
          { socket: inner, asked: change.asked ?? asked, tls: change.tls ?? tls, depth: depth + 1 },
          connection,
          peer,
        ),
    });
  }

  /** Cuts off what is still open, and resolves when every connection has reported its end. */
  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#open) socket.destroy();
    await Promise.all(this.#serving);
  }
}
