import type { Socket } from 'node:net';
import { describeError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { NetEventKind } from '../event.ts';
import type { Details } from '../listener.ts';
import type { PassedStream } from '../router/messages.ts';
import type { Source } from '../router/recorder.ts';
import { bridgeRefusal, type GateBridge } from './bridge.ts';
import { decideBy, findWay, type Way, type WayMeans } from './find-way.ts';
import type { GateLog } from './gate-log.ts';
import { type Greeting, readGreeting } from './greeting.ts';
import type { EgressLimits } from './limits.ts';
import { reset } from './reset.ts';
import { describeGreeting, hearGreeting, objectTo } from './screen.ts';
import { type InspectBytes, type Spliced, splice } from './splice.ts';

/** One connection of the box, from its beginning to the record of its end. Nothing passes before it is recorded. */

export interface GateMeans extends WayMeans {
  /** What is in force now: it may be another one the next time. */
  readonly policy: Policy;
  /** Whether the policy lists it by itself, and not only because everything is let through to be looked at. */
  readonly isListed: (host: string, port: number) => boolean;
  readonly limits: EgressLimits;
  readonly log: GateLog;
  readonly inspect: InspectConnection | null;
  readonly bridge: GateBridge | null;
}

type OpenWay = Extract<Way, { is: 'open' }>;

/** A connection whose way was found before the box's own was accepted. */
export interface FoundWay {
  /** Its number in the record, which it had before it was accepted. */
  readonly connection: number;
  readonly peer: PassedStream['peer'];
  readonly way: OpenWay;
}

/** For one connection: what looks at everything that the box sends over it. Nothing is sent before it is there. */
export type InspectConnection = (to: { readonly host: string; readonly port: number }) => Promise<InspectBytes>;

const limitNames = ['idleMs', 'connectionBytes'] as const;

export class GateConnection {
  readonly #box: Socket;
  readonly #source: Source;
  readonly #means: GateMeans;
  readonly #left = new AbortController();
  readonly #host: string;
  readonly #port: number;
  #upstream: Socket | null = null;
  readonly #found: OpenWay | null;
  #carrier: Pick<Spliced, 'cut'> | null = null;
  #address = '';
  #greeting: Greeting | null = null;
  #objection: string | null = null;
  #inspected: string | null = null;

  constructor(box: Socket, stream: PassedStream, means: GateMeans, found: FoundWay | null = null) {
    const { peer, asked } = stream;
    const connection = found?.connection ?? stream.connection;
    this.#box = box;
    this.#found = found?.way ?? null;
    this.#upstream = this.#found?.upstream ?? null;
    this.#source = { transport: 'tcp', connection, peer, asked, isInsideTls: false };
    this.#means = means;
    this.#host = asked.name ?? asked.address;
    this.#port = asked.port;
    box.allowHalfOpen = true;
    box.setNoDelay(true);
    box.on('error', () => {
      // A reset by the box is an end like any other.
    });
    box.once('close', () => this.#left.abort());
  }

  /** Breaks it off, wherever it is; `serve` then comes to its end. */
  cut(): void {
    this.#carrier?.cut('gate: closed');
    for (const socket of [this.#box, this.#upstream]) if (socket?.destroyed === false) reset(socket);
  }

  /** Breaks it off when the rules that are in force now would not have let it through. True when it did. */
  recheck(): boolean {
    const because = this.#objectNow();
    if (because === null || this.#objection !== null || this.#box.destroyed) return false;
    this.#objection = because;
    this.#carrier?.cut('rules-changed');
    this.cut();
    return true;
  }

  #objectNow(): string | null {
    const { policy } = this.#means;
    const decision = decideBy(this.#means, this.#host, this.#port, this.#address);
    if (decision.is === 'refused' && (decision.because !== 'not-an-address' || this.#address !== '')) {
      return decision.detail;
    }
    return this.#greeting === null ? null : (objectTo(this.#greeting, policy, this.#host, this.#port)?.detail ?? null);
  }

  async serve(): Promise<void> {
    const started = performance.now();
    try {
      await this.#record('connection-open');
      const way = this.#found ?? (await findWay(this.#means, this.#host, this.#port, this.#left.signal));
      const carried = way.is === 'open' ? await this.#carry(way, started) : await this.#turnAway(way);
      const problem = this.#objection === null ? carried : await this.#recordChange(this.#objection);
      const { bytesRead, bytesWritten } = this.#box;
      const upstream = {
        bytesSentUpstream: this.#upstream?.bytesWritten ?? 0,
        bytesReadUpstream: this.#upstream?.bytesRead ?? 0,
        milliseconds: Math.round(performance.now() - started),
      };
      await this.#record('connection-close', { fields: { bytesRead, bytesWritten, ...upstream, problem } });
    } finally {
      // What cannot be recorded does not go on.
      this.cut();
    }
  }

  #record(kind: NetEventKind, details: Details = {}): Promise<void> {
    return this.#means.log.record(this.#source, kind, details);
  }

  async #turnAway(way: Exclude<Way, { is: 'open' }>): Promise<string> {
    this.cut();
    const { because, detail, resolved } = way;
    const kind = way.is === 'refused' ? 'egress-refused' : 'egress-failed';
    await this.#record(kind, { fields: { host: this.#host, port: this.#port, because, detail, resolved } });
    return because;
  }

  async #recordChange(detail: string): Promise<string> {
    const because = 'rules-changed';
    await this.#record('egress-refused', { fields: { host: this.#host, port: this.#port, because, detail } });
    return because;
  }

  async #carry(way: OpenWay, started: number): Promise<string | null> {
    const { upstream, address, resolved, skipped } = way;
    this.#upstream = upstream;
    this.#address = address;
    upstream.on('error', () => {
      // Also while the record below is being written; the splice sees that it is gone.
    });
    // The rules may have changed while the way was looked for.
    if (this.recheck()) return null;
    const milliseconds = Math.round(performance.now() - started);
    const isListed = this.#means.isListed(this.#host, this.#port);
    const fields = { host: this.#host, port: this.#port, address, resolved, skipped, milliseconds, isListed };
    await this.#record('egress-allowed', { fields });
    return this.#means.bridge === null ? this.#splice(upstream) : this.#cross(this.#means.bridge, upstream);
  }

  async #cross(bridge: GateBridge, upstream: Socket): Promise<string | null> {
    const [box, host, port, address] = [this.#box, this.#host, this.#port, this.#address];
    // While the record was written; a bridge gets two sockets that are open, and from then on sees what becomes of them.
    for (const [socket, who] of [[box, 'box'] as const, [upstream, 'upstream'] as const]) {
      if (socket.destroyed) {
        this.cut();
        return `${who}: closed`;
      }
    }
    let reason: string | null;
    try {
      // The limits are the bridge's own to keep: it alone knows what an idle connection is.
      const bridged = bridge({ box, upstream, host, port, address, limits: this.#means.limits });
      this.#carrier = bridged;
      reason = await bridged.ended;
    } catch (error) {
      reason = `bridge: ${describeError(error).slice(0, 300)}`;
    }
    this.#carrier = null;
    this.cut();
    await this.#recordLimit(reason);
    if (reason?.startsWith(bridgeRefusal) === true) {
      const detail = reason.slice(bridgeRefusal.length);
      await this.#record('egress-refused', { fields: { host, port, because: 'request', detail } });
    }
    return reason;
  }

  async #recordLimit(reason: string | null): Promise<void> {
    const limit = limitNames.find((each) => each === reason);
    if (limit !== undefined) await this.#record('limit-hit', { fields: { limit, most: this.#means.limits[limit] } });
  }

  async #splice(upstream: Socket): Promise<string | null> {
    const spliced = splice(this.#box, upstream, this.#means.limits);
    this.#carrier = spliced;
    const screened = this.#screen(spliced);
    screened.catch(() => undefined);
    const reason = await spliced.ended;
    await screened;
    await this.#recordLimit(reason);
    if (this.#inspected !== null) {
      const fields = { host: this.#host, port: this.#port, because: 'inspected', detail: this.#inspected };
      await this.#record('egress-refused', { fields });
    }
    return reason;
  }

  /** Null as well when the box has left: whoever is to look may come late or never, and the end does not wait for that. */
  async #openInspection(): Promise<InspectBytes | null> {
    const { signal } = this.#left;
    const left = Promise.withResolvers<undefined>();
    const leave = (): void => left.resolve(undefined);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    const opening = this.#means.inspect?.({ host: this.#host, port: this.#port });
    const inspect = await Promise.race([opening, left.promise]).finally(() => {
      signal.removeEventListener('abort', leave);
    });
    if (inspect === undefined) return null;
    return (bytes) => {
      this.#inspected ??= inspect(bytes);
      return this.#inspected;
    };
  }

  async #screen(spliced: Spliced): Promise<void> {
    const { limits } = this.#means;
    try {
      const bytes = await hearGreeting(this.#box, limits.idleMs);
      const greeting = readGreeting(bytes);
      this.#greeting = greeting;
      if (bytes.length > 0) await this.#record(...describeGreeting(greeting, bytes, limits.keptBytes));
      const objection = objectTo(greeting, this.#means.policy, this.#host, this.#port);
      if (objection === null) {
        const inspection = await this.#openInspection();
        if (!this.#left.signal.aborted) spliced.openUpstream(inspection);
        return;
      }
      spliced.cut(objection.because);
      await this.#record('egress-refused', { fields: { host: this.#host, port: this.#port, ...objection } });
    } catch (error) {
      spliced.cut('not recorded');
      throw error;
    }
  }
}
