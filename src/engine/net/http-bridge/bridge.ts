import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describeError, TargetError } from '../../../base/errors.ts';
import { CertificateMaker } from '../certificates/authority.ts';
import { type Bridged, type BridgeEnds, bridgeRefusal, type GateBridge } from '../egress/bridge.ts';
import { type Greeting, isWholeGreeting, longestGreeting, readGreeting } from '../egress/greeting.ts';
import { reset } from '../egress/reset.ts';
import { chunksOf, lookAtFirstBytes } from '../stream/first-bytes.ts';
import { type BridgeCaps, defaultBridgeCaps, type HttpBridgeOptions } from './contract.ts';
import { plainName } from './fields.ts';
import { IdleClock } from './idle-clock.ts';
import { checkInjected, headBytes } from './inject-header.ts';
import { judgeRequest } from './judge-request.ts';
import { isOverride } from './overrides.ts';
import type { RequestHead } from './request-head.ts';
import { RequestReader } from './request-reader.ts';
import { BoxSide, openTowardsTarget, readServerName } from './tls-ends.ts';

/** What stands between a program in a box and its target: it lets requests through, one by one, and nothing else. */

interface Means {
  readonly options: HttpBridgeOptions;
  readonly caps: BridgeCaps;
  readonly boxSide: BoxSide;
}

/** The two streams that requests and responses flow in: the sockets, or TLS on them. */
interface Streams {
  readonly box: Duplex;
  readonly upstream: Duplex;
  readonly isTls: boolean;
  readonly serverName: string | null;
}

/**
 * Clients take a reset of a connection that they have used before for one that was closed too early, and try again and
 * again. A first line that is none is an error to all of them, and never a status.
 */
const noAnswer = 'HTTP/1.1 refused\r\n\r\n';
/** For the box to take that and leave. */
const lingerMs = 500;

function closed(socket: Socket): Promise<void> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => void socket.once('close', () => resolve()));
}

function untilDrained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      for (const name of ['drain', 'close']) stream.removeListener(name, finish);
      resolve();
    };
    for (const name of ['drain', 'close']) stream.on(name, finish);
  });
}

class HttpBridge implements Bridged {
  readonly #ends: BridgeEnds;
  readonly #means: Means;
  readonly #clock: IdleClock;
  readonly #over = new AbortController();
  readonly ended: Promise<string | null>;
  #streams: Streams | null = null;
  #reason: string | null = null;
  #isCut = false;
  #hasBoxLeft = false;

  constructor(ends: BridgeEnds, means: Means) {
    this.#ends = ends;
    this.#means = means;
    this.#clock = new IdleClock(means.caps.idleMs ?? ends.limits.idleMs, () => this.cut('idleMs'));
    for (const who of ['box', 'upstream'] as const) this.#watch(who);
    this.ended = Promise.all([closed(ends.box), closed(ends.upstream)]).then(() => {
      this.#clock.close();
      return this.#reason;
    });
    this.#carry().catch((error: unknown) => {
      if (!(error instanceof TargetError)) this.cut(`bridge: ${describeError(error)}`);
      else if (error.message.startsWith(bridgeRefusal)) this.#refuse(error.message);
      else this.cut(error.message);
    });
  }

  cut(reason: string): void {
    this.#reason ??= reason;
    this.#breakOff();
  }

  #breakOff(): void {
    this.#isCut = true;
    this.#over.abort();
    for (const who of ['box', 'upstream'] as const) this.#breakSide(who);
  }

  #breakSide(who: 'box' | 'upstream'): void {
    const socket = this.#ends[who];
    if (!socket.destroyed) reset(socket);
  }

  /** The target sees a reset, the box something that is no answer. */
  #refuse(reason: string): void {
    if (this.#isCut || this.#streams === null || this.#streams.box.writableEnded) {
      this.cut(reason);
      return;
    }
    const { box, upstream } = this.#streams;
    this.#reason ??= reason;
    this.#isCut = true;
    upstream.unpipe(box);
    this.#breakSide('upstream');
    box.resume().end(noAnswer);
    const timer = setTimeout(() => this.#breakSide('box'), lingerMs);
    void this.ended.then(() => clearTimeout(timer));
  }

  #watch(who: 'box' | 'upstream'): void {
    const socket = this.#ends[who];
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    socket.on('error', (error: NodeJS.ErrnoException) => this.#fail(who, error));
    // Closed before both of its directions had come to their end: something broke that was no error to Node.
    const check = (): void => {
      const stream = this.#streams?.[who] ?? socket;
      const isOver = stream.readableEnded && stream.writableFinished;
      if (!isOver && !this.#isCut) this.cut(`${who}: closed`);
    };
    if (socket.destroyed) check();
    else socket.once('close', check);
  }

  #fail(who: 'box' | 'upstream', error: NodeJS.ErrnoException): void {
    // It has said that it will send no more, and does not want the rest: many programs leave like that.
    if (who === 'box' && this.#hasBoxLeft) this.#breakOff();
    else this.cut(`${who}: ${error.code ?? 'failed'}`);
  }

  async #carry(): Promise<void> {
    const greeting = await this.#hear();
    if (this.#isCut) return;
    if (greeting === null) {
      this.#carryBack(this.#ends);
      this.#ends.upstream.end();
      return;
    }
    const streams = await this.#open(greeting);
    // While hands were shaken it may have been cut; a stream that is dead by now says so to nobody else.
    if (this.#isCut) return;
    this.#streams = streams;
    this.#carryBack(streams);
    await this.#carryRequests(streams);
  }

  /** The first words of the box; null when it left without any. */
  async #hear(): Promise<Greeting | null> {
    const { box, limits } = this.#ends;
    const timeoutMs = this.#means.caps.idleMs ?? limits.idleMs;
    const bytes = await lookAtFirstBytes(box, isWholeGreeting, { timeoutMs, capBytes: longestGreeting });
    if (bytes.length > 0) return readGreeting(bytes);
    if (!this.#isCut && !box.readableEnded) this.cut('idleMs');
    return null;
  }

  async #open(greeting: Greeting): Promise<Streams> {
    const { box, upstream, host, address } = this.#ends;
    if (greeting.is === 'unreadable-tls') throw new TargetError(`${bridgeRefusal}a TLS hello that cannot be read`);
    if (greeting.is !== 'tls') return { box, upstream, isTls: false, serverName: null };
    const { handshakeMs } = this.#means.caps;
    const { hello } = greeting;
    const serverName = this.#readServerName(hello, host);
    // The target first: the box is to see that it cannot be spoken to.
    const towardsTarget = await openTowardsTarget(upstream, hello, serverName, handshakeMs);
    towardsTarget.on('error', (error) => this.#fail('upstream', error));
    const towardsBox = await this.#means.boxSide.open(box, serverName, address, handshakeMs);
    towardsBox.on('error', (error) => this.#fail('box', error));
    return { box: towardsBox, upstream: towardsTarget, isTls: true, serverName };
  }

  /** Before anything is said to the target: what stands there may lead a hello on to another host by its name alone. */
  #readServerName(...args: Parameters<typeof readServerName>): string | null {
    let named: string | null;
    try {
      named = readServerName(...args);
    } catch (error) {
      throw new TargetError(`${bridgeRefusal}${describeError(error)}`);
    }
    const objection = named === null ? null : (this.#means.options.judgeName?.(named) ?? null);
    if (objection !== null) throw new TargetError(`${bridgeRefusal}${objection}`);
    return named;
  }

  /** Responses, as they are. */
  #carryBack({ box, upstream }: Pick<Streams, 'box' | 'upstream'>): void {
    upstream.on('data', () => this.#see());
    box.on('drain', () => this.#clock.touch());
    upstream.pipe(box);
  }

  #see(): void {
    const { box, upstream, limits } = this.#ends;
    this.#clock.touch();
    if (box.bytesRead + upstream.bytesRead > limits.connectionBytes) this.cut('connectionBytes');
  }

  async #carryRequests(streams: Streams): Promise<void> {
    const { options, caps } = this.#means;
    const injected = options.inject == null ? null : plainName(options.inject.header);
    const isGuarded = (name: string): boolean => isOverride(name) || name === injected;
    const reader = new RequestReader({ isTls: streams.isTls, port: this.#ends.port, caps, isGuarded });
    for await (const bytes of chunksOf(streams.box)) {
      this.#see();
      reader.push(bytes);
      for (let step = reader.next(); step.is !== 'more'; step = reader.next()) {
        if (step.is === 'refused') throw new TargetError(`${bridgeRefusal}${step.because}`);
        if (step.is === 'head') await this.#forward(step.head, streams);
        if (step.is === 'body') await this.#write(streams.upstream, step.bytes);
        if (this.#isCut) return;
      }
    }
    // A target is not to take the half of a request for all of it.
    if (!reader.isBetween) {
      this.cut('box: ended within a request');
      return;
    }
    this.#hasBoxLeft = true;
    streams.upstream.end();
  }

  async #forward(head: RequestHead, streams: Streams): Promise<void> {
    const { options } = this.#means;
    const request = judgeRequest(head, { ...streams, ...this.#ends }, options);
    await this.#clock.during(options.pace(this.#over.signal));
    if (this.#isCut) return;
    options.onRequest?.(request, { is: 'allowed' });
    await this.#write(streams.upstream, headBytes(head, options.inject ?? null));
  }

  async #write(stream: Duplex, bytes: Buffer): Promise<void> {
    if (this.#isCut || stream.destroyed || stream.write(bytes)) return;
    await untilDrained(stream);
    this.#clock.touch();
  }
}

export function httpBridge(options: HttpBridgeOptions): GateBridge {
  if (options.inject != null) checkInjected(options.inject);
  const caps = { ...defaultBridgeCaps, ...options.caps };
  const means: Means = { options, caps, boxSide: new BoxSide(new CertificateMaker(options.authority)) };
  return (ends) => new HttpBridge(ends, means);
}
