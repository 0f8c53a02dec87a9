import { createServer, type Server, type Socket } from 'node:net';
import { describeError } from '../../../base/errors.ts';
import { canonicalAddress } from '../addresses.ts';
import type { GateConfig } from '../config.ts';
import type { SharedWorld } from '../listener.ts';
import { answerMessages } from '../stream/dns.ts';
import type { PassedStream } from './messages.ts';
import type { Recorder, Source } from './recorder.ts';

/**
 * Every TCP connection of a box behind the egress gate. DNS is answered here; any other connection goes to the parent,
 * unread, together with the name that its address was made up for. This process has no way out and gets none.
 */

const dnsPort = 53;

/** The socket is no longer ours when it has been sent. */
export type Pass = (stream: PassedStream, socket: Socket) => void;

export class StreamPasser {
  readonly #world: SharedWorld;
  readonly #recorder: Recorder;
  readonly #config: Pick<GateConfig, 'caps' | 'resolvers'>;
  readonly #pass: Pass;
  readonly #servers: Server[] = [];
  readonly #passed = new Set<number>();
  readonly #asking = new Map<Socket, Promise<void>>();

  constructor(world: SharedWorld, recorder: Recorder, config: Pick<GateConfig, 'caps' | 'resolvers'>, pass: Pass) {
    this.#world = world;
    this.#recorder = recorder;
    this.#config = config;
    this.#pass = pass;
  }

  async listen(fd: number): Promise<void> {
    const options = { allowHalfOpen: true, noDelay: true, pauseOnConnect: true };
    const server = createServer(options, (socket) => this.#accept(socket));
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ fd }, resolve);
    });
  }

  /** The parent has closed it. */
  forget(connection: number): void {
    this.#passed.delete(connection);
  }

  /** An address that the policy names itself is kept out of the made-up ones by standing for itself. */
  nameOf(address: string): string | null {
    const name = this.#world.names.nameOf(address);
    return name === address ? null : name;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {
      // A reset by the box is an end like any other.
    });
    const address = canonicalAddress(socket.localAddress ?? '');
    const asked = { address, port: socket.localPort ?? 0, name: this.nameOf(address) };
    const peer = { address: canonicalAddress(socket.remoteAddress ?? ''), port: socket.remotePort ?? 0 };
    const connection = this.#recorder.nextConnection();
    const source = { transport: 'tcp', connection, peer, asked, isInsideTls: false } as const;
    if (this.#passed.size + this.#asking.size >= this.#config.caps.connections) {
      socket.resetAndDestroy();
      const fields = { limit: 'connections', most: this.#config.caps.connections };
      void this.#recorder.record(source, 'limit-hit', { fields });
    } else if (asked.port === dnsPort && this.#config.resolvers?.includes(address) !== false) {
      this.#asking.set(
        socket,
        this.#answer(socket, source).finally(() => this.#asking.delete(socket)),
      );
    } else {
      this.#passed.add(connection);
      this.#pass({ connection, peer, asked }, socket);
    }
  }

  async #answer(socket: Socket, source: Source): Promise<void> {
    socket.setTimeout(this.#config.caps.idleMs, () => socket.destroy());
    await this.#recorder.record(source, 'connection-open');
    let problem: string | null = null;
    try {
      const record = (...[kind, details]: [Parameters<Recorder['record']>[1], Parameters<Recorder['record']>[2]?]) =>
        this.#recorder.record(source, kind, details);
      await answerMessages(socket, { world: this.#world, record });
    } catch (error) {
      problem = describeError(error).slice(0, 300);
      socket.destroy();
    }
    if (!socket.closed) await new Promise<void>((resolve) => void socket.resume().once('close', resolve));
    const { bytesRead, bytesWritten } = socket;
    await this.#recorder.record(source, 'connection-close', { fields: { bytesRead, bytesWritten, problem } });
  }

  /** Takes no more connections, and resolves when what is answered here has reported its end. */
  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#asking.keys()) socket.destroy();
    await Promise.all(this.#asking.values());
  }
}
