import type { Socket } from 'node:net';
import type { NetEvent } from '../event.ts';
import type { HeldPacket } from '../holder/messages.ts';
import type { PassedStream } from '../router/messages.ts';
import { type FoundWay, GateConnection, type GateMeans } from './connection.ts';
import type { GateLog } from './gate-log.ts';
import { type HandshakeMeans, Handshakes, isNameless } from './handshakes.ts';
import type { LoopbackNames } from './loopback.ts';
import { reset } from './reset.ts';

/** The connections of a gate that are open, and those that are about to be. */
export class Desk {
  readonly #means: GateMeans;
  readonly #loopback: LoopbackNames;
  readonly #open = new Map<GateConnection, Promise<void>>();
  #handshakes: Handshakes | null = null;
  #isClosed = false;

  constructor(means: GateMeans, loopback: LoopbackNames) {
    this.#means = means;
    this.#loopback = loopback;
  }

  get log(): GateLog {
    return this.#means.log;
  }

  /** From now on handshakes are held. */
  hold(means: Pick<HandshakeMeans, 'give' | 'nameOf'>): void {
    this.#handshakes = new Handshakes({ ...means, gate: this.#means, onFailure: () => this.#cutAll() });
    if (this.#isClosed) this.#handshakes.cut();
  }

  knock(packets: readonly HeldPacket[]): void {
    for (const packet of packets) this.#handshakes?.take({ ...packet, to: this.#loopback.restore(packet.to) });
  }

  /** What the router heard. */
  async put(events: readonly NetEvent[]): Promise<void> {
    const restored = this.#loopback.restoreEvents(events);
    for (const event of restored) this.#letGo(event);
    try {
      await this.log.put(restored);
    } catch (error) {
      this.#cutAll();
      throw error;
    }
  }

  /** The router has turned a connection away that was one too many: what was connected for it is not kept any longer. */
  #letGo({ kind, transport, connection, peer, asked }: NetEvent): void {
    if (kind === 'limit-hit' && transport === 'tcp') this.#handshakes?.letGo({ connection, peer, asked });
  }

  async take(passed: PassedStream, socket: Socket | null): Promise<void> {
    const stream = { ...passed, asked: this.#loopback.restore(passed.asked) };
    const found = this.#handshakes?.claim(stream) ?? null;
    if (socket === null || (this.#handshakes !== null && isNameless(stream))) {
      socket?.destroy();
      await this.#recordKnock(stream, found);
      return;
    }
    const connection = new GateConnection(socket, stream, this.#means, found);
    // It fails only when it cannot be recorded; that is told when the gate is closed, and until then nothing goes on.
    const served = connection
      .serve()
      .catch(() => this.#cutAll())
      .finally(() => this.#open.delete(connection));
    this.#open.set(connection, served);
    if (this.#isClosed) connection.cut();
    await served;
  }

  async #recordKnock(stream: PassedStream, found: FoundWay | null): Promise<void> {
    const { connection, peer } = found ?? stream;
    const { asked } = stream;
    const source = { transport: 'tcp', connection, peer, asked, isInsideTls: false } as const;
    // First of all: what cannot be recorded must not stay open.
    if (found?.way.upstream.destroyed === false) reset(found.way.upstream);
    await this.log.record(source, 'connection-open');
    if (found !== null) {
      const { address, resolved, skipped } = found.way;
      const [host, port] = [asked.name ?? asked.address, asked.port];
      const isListed = this.#means.isListed(host, port);
      await this.log.record(source, 'egress-allowed', { fields: { host, port, address, resolved, skipped, isListed } });
    }
    await this.log.record(source, 'connection-close', {
      fields: { bytesRead: 0, bytesWritten: 0, problem: 'it was closed before it could be served' },
    });
  }

  /** How many connections the rules that are in force now have ended. */
  recheck(): number {
    return [...this.#open.keys()].filter((connection) => connection.recheck()).length;
  }

  #cutAll(): void {
    this.#isClosed = true;
    this.#handshakes?.cut();
    for (const connection of this.#open.keys()) connection.cut();
  }

  /** Cuts everything, now and from now on, and resolves when every end has been recorded. */
  async close(): Promise<void> {
    this.#cutAll();
    await Promise.all([this.#handshakes?.close(), ...this.#open.values()]);
  }
}
