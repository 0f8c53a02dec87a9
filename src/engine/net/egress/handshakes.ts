import type { HeldPacket, Verdict } from '../holder/messages.ts';
import type { PassedStream } from '../router/messages.ts';
import type { Source } from '../router/recorder.ts';
import type { FoundWay, GateMeans } from './connection.ts';
import { findWay, type Way } from './find-way.ts';
import { reset } from './reset.ts';

/**
 * Handshakes of the box that are held until it is known what the target says: a connection that was made for the box lets
 * its handshake go on, a refusal resets it, and silence leaves it without an answer. So a port looks to the box as it is.
 */

export interface HandshakeMeans {
  readonly gate: GateMeans;
  readonly give: (id: number, verdict: Verdict) => void;
  /** The name that an address was made up for. */
  readonly nameOf: (address: string) => Promise<string | null>;
  /** Nothing can be recorded any more, and so nothing may go on. */
  readonly onFailure: () => void;
}

/** Numbers of connections that were held begin above those that the router process gives. */
const firstConnection = 2 ** 32;
/** Packets of one handshake: a system sends the first one again and again as long as nobody answers. */
const mostPackets = 16;
/** How long a connection that was made waits for the box's own. */
const claimMs = 5000;

const late = { because: 'unreachable', detail: 'it was held for too long' } as const;

interface Handshake {
  readonly key: string;
  readonly source: Source;
  readonly packets: number[];
  readonly giveUp: AbortController;
  open: { readonly way: FoundWay['way']; readonly timer: NodeJS.Timeout } | null;
}

const keyOf = ({ peer, asked }: Pick<Source, 'peer' | 'asked'>): string =>
  `${peer.address} ${peer.port} ${asked.address} ${asked.port}`;

/** A stream that the box had reset before anybody could ask who it was. */
export function isNameless({ peer }: PassedStream): boolean {
  return peer.port === 0;
}

export class Handshakes {
  readonly #means: HandshakeMeans;
  readonly #held = new Map<string, Handshake>();
  readonly #work = new Set<Promise<void>>();
  #nextConnection = firstConnection;
  #isFull = false;
  #isClosed = false;

  constructor(means: HandshakeMeans) {
    this.#means = means;
  }

  take(packet: HeldPacket): void {
    const { id, from, to } = packet;
    const known = this.#held.get(keyOf({ peer: from, asked: { ...to, name: null } }));
    if (known !== undefined) {
      if (known.open !== null) this.#means.give(id, 'accept');
      else if (known.packets.length < mostPackets) known.packets.push(id);
      else this.#means.give(id, 'drop');
      return;
    }
    const asked = { ...to, name: null };
    const source: Source = {
      transport: 'tcp',
      connection: this.#nextConnection,
      peer: from,
      asked,
      isInsideTls: false,
    };
    this.#nextConnection += 1;
    if (this.#isClosed || this.#held.size >= this.#means.gate.limits.heldHandshakes) {
      this.#means.give(id, 'drop');
      this.#tellFull(source);
      return;
    }
    this.#isFull = false;
    const handshake = { key: keyOf(source), source, packets: [id], giveUp: new AbortController(), open: null };
    this.#held.set(handshake.key, handshake);
    this.#track(this.#attempt(handshake));
  }

  /** Once for each time that it becomes full: whoever fills it sends thousands. */
  #tellFull(source: Source): void {
    if (this.#isFull || this.#isClosed) return;
    this.#isFull = true;
    const fields = { limit: 'heldHandshakes', most: this.#means.gate.limits.heldHandshakes };
    this.#track(this.#means.gate.log.record(source, 'limit-hit', { fields }));
  }

  /** What fails is that something could not be recorded. */
  #track(work: Promise<void>): void {
    const tracked = work.catch(() => this.#means.onFailure()).finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  async #attempt(handshake: Handshake): Promise<void> {
    const { gate } = this.#means;
    let verdict: Verdict = 'drop';
    const timer = setTimeout(() => handshake.giveUp.abort(), gate.limits.heldMs);
    try {
      const { source } = handshake;
      const { address, port } = source.asked;
      const name = await this.#means.nameOf(address);
      const named: Handshake = { ...handshake, source: { ...source, asked: { address, port, name } } };
      const way = await findWay(gate, name ?? address, port, handshake.giveUp.signal);
      if (way.is !== 'open') verdict = await this.#turnAway(named, way);
      else if (this.#isClosed) reset(way.upstream);
      else {
        this.#keep(named, way);
        verdict = 'accept';
      }
    } finally {
      clearTimeout(timer);
      // Nothing was awaited since it was kept: a packet that comes from now on finds it open, or is a new attempt.
      if (verdict !== 'accept') this.#held.delete(handshake.key);
      this.#judge(handshake.packets, verdict);
    }
  }

  /** One reset is enough: the others are copies of the same packet. */
  #judge(packets: readonly number[], verdict: Verdict): void {
    for (const [at, id] of packets.entries()) this.#means.give(id, verdict === 'reset' && at > 0 ? 'drop' : verdict);
  }

  async #turnAway({ source, giveUp }: Handshake, way: Exclude<Way, { is: 'open' }>): Promise<Verdict> {
    const isLate = giveUp.signal.aborted && !this.#isClosed;
    const { because, detail } = isLate ? late : way;
    const { resolved } = way;
    const { address, name, port } = source.asked;
    const kind = way.is === 'refused' ? 'egress-refused' : 'egress-failed';
    await this.#means.gate.log.record(source, kind, {
      fields: { host: name ?? address, port, because, detail, resolved, isHeld: true },
    });
    return way.is === 'refused' || way.isRefusedByHost ? 'reset' : 'drop';
  }

  #keep(handshake: Handshake, way: FoundWay['way']): void {
    way.upstream.on('error', () => {
      // Whoever takes it sees that it is gone.
    });
    const timer = setTimeout(() => this.#track(this.#abandon(handshake, way)), claimMs);
    this.#held.set(handshake.key, { ...handshake, open: { way, timer } });
  }

  async #abandon({ key, source }: Handshake, way: FoundWay['way']): Promise<void> {
    this.#held.delete(key);
    if (!way.upstream.destroyed) reset(way.upstream);
    const { address, name, port } = source.asked;
    const detail = `it was connected to ${way.address}, and the box did not take the connection`;
    await this.#means.gate.log.record(source, 'egress-failed', {
      fields: { host: name ?? address, port, because: 'box-left', detail, resolved: way.resolved, isHeld: true },
    });
  }

  /** The connection that was made for a stream of the box before it was accepted; null when none was. */
  claim(stream: PassedStream): FoundWay | null {
    const handshake = this.#heldFor(stream);
    if (handshake === undefined || handshake.open === null) return null;
    clearTimeout(handshake.open.timer);
    this.#held.delete(handshake.key);
    return { connection: handshake.source.connection, peer: handshake.source.peer, way: handshake.open.way };
  }

  /** A stream that nobody will serve: what was connected for it is reset at once, and told. */
  letGo(stream: PassedStream): void {
    const handshake = this.#heldFor(stream);
    if (handshake === undefined || handshake.open === null) return;
    clearTimeout(handshake.open.timer);
    this.#track(this.#abandon(handshake, handshake.open.way));
  }

  #heldFor(stream: PassedStream): Handshake | undefined {
    return isNameless(stream) ? this.#oldestTo(stream) : this.#held.get(keyOf(stream));
  }

  /** Whoever else is robbed of its connection by this gets another one. */
  #oldestTo({ asked }: PassedStream): Handshake | undefined {
    for (const handshake of this.#held.values()) {
      const { address, port } = handshake.source.asked;
      if (handshake.open !== null && address === asked.address && port === asked.port) return handshake;
    }
    return undefined;
  }

  /** Gives up all attempts, now and from now on; what was connected and not taken is reset. */
  cut(): void {
    this.#isClosed = true;
    for (const handshake of this.#held.values()) {
      handshake.giveUp.abort();
      if (handshake.open === null) continue;
      clearTimeout(handshake.open.timer);
      this.#track(this.#abandon(handshake, handshake.open.way));
    }
  }

  /** Resolves when every end has been recorded. */
  async close(): Promise<void> {
    this.cut();
    while (this.#work.size > 0) await Promise.all(this.#work);
  }
}
