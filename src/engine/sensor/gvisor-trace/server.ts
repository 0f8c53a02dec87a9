import type { BatchSender } from '../batches.ts';
import type { Sighting } from '../contract.ts';
import type { Clock } from './clock.ts';
import { Connection } from './connection.ts';
import { acceptOne, closeSocket, listenAt, readTime, waitForAny } from './packet-socket.ts';
import type { Totals } from './worker-messages.ts';

/** Serves all sandboxes of a sensor on one thread. It blocks, and so must have the thread for itself. */

/** Larger than any packet that a socket with the kernel's usual buffer can send. */
const packetBytes = 512 * 1024;
const mostConnections = 256;
const fullBatch = 512;
/**
 * Being woken for every packet costs the sender more than the packet. So the reader sleeps this long before it reads;
 * a socket has room for about as much as a busy sandbox sends meanwhile, and a full one makes it wait.
 */
const napMs = 5;
const quietWaitMs = 50;
/** With something to hand on, quiet comes sooner. */
const shortWaitMs = 5;
const closeLimitMs = 10_000;

function startClock(): Clock {
  const startNs = readTime('monotonic');
  return { now: () => process.hrtime.bigint(), startNs, offsetNs: startNs - readTime('wall') };
}

export class Server {
  readonly #listener: number;
  readonly #batches: BatchSender<Sighting>;
  readonly #control: Int32Array;
  readonly #clock = startClock();
  readonly #buffer = Buffer.alloc(packetBytes);
  readonly #connections = new Map<number, Connection>();
  #totals: Totals = {
    sandboxes: 0,
    received: 0,
    lost: 0,
    truncated: 0,
    heartbeats: 0,
    isFromStart: true,
    abandoned: 0,
  };
  #truncated = 0;
  #accepted = 0;
  #closeBy: number | null = null;

  constructor(socketPath: string, batches: BatchSender<Sighting>, control: Int32Array) {
    this.#listener = listenAt(socketPath);
    this.#batches = batches;
    this.#control = control;
  }

  /** Returns when it was told to and all sandboxes are gone, or the time for that is over. */
  run(): Totals {
    try {
      while (!this.#isDone()) this.#turn();
    } finally {
      const left = [...this.#connections.values()];
      for (const connection of left) this.#finish(connection);
      closeSocket(this.#listener);
      this.#totals = { ...this.#totals, abandoned: left.length };
    }
    this.#batches.flush();
    return { ...this.#totals, truncated: this.#truncated };
  }

  #isDone(): boolean {
    if (Atomics.load(this.#control, 0) === 0) return false;
    this.#closeBy ??= Date.now() + closeLimitMs;
    if (Date.now() > this.#closeBy) return true;
    this.#acceptAll();
    return this.#connections.size === 0;
  }

  #turn(): void {
    const fds = [this.#listener, ...this.#connections.keys()];
    const ready = waitForAny(fds, this.#batches.size > 0 ? shortWaitMs : quietWaitMs);
    if (ready.size === 0) {
      for (const connection of this.#connections.values()) connection.rest();
      this.#batches.flush();
      return;
    }
    if (ready.has(this.#listener)) this.#acceptAll();
    const isGreeting = [...this.#connections.values()].some(({ hasShakenHands }) => !hasShakenHands);
    if (!isGreeting) Atomics.wait(this.#control, 1, 0, napMs);
    for (const connection of [...this.#connections.values()]) {
      if (!connection.serve(this.#buffer, this.#flushWhenFull)) this.#finish(connection);
    }
  }

  readonly #flushWhenFull = (): void => {
    if (this.#batches.size >= fullBatch) this.#batches.flush();
  };

  #acceptAll(): void {
    while (this.#connections.size < mostConnections) {
      const fd = acceptOne(this.#listener);
      if (fd === null) return;
      const emit = (sighting: Sighting): void => {
        if (sighting.truncated !== undefined) this.#truncated += 1;
        this.#batches.add(sighting);
      };
      const connection = new Connection(fd, this.#clock, emit, this.#accepted);
      this.#accepted += 1;
      this.#connections.set(fd, connection);
    }
  }

  #finish(connection: Connection): void {
    this.#connections.delete(connection.fd);
    connection.end();
    // A runtime that gave up before it started anything has nothing to say.
    if (connection.received === 0) return;
    const { sandboxes, received, lost, heartbeats, isFromStart } = this.#totals;
    this.#totals = {
      ...this.#totals,
      sandboxes: sandboxes + 1,
      received: received + connection.received,
      lost: lost + connection.lost,
      heartbeats: heartbeats + connection.heartbeats,
      isFromStart: isFromStart && connection.isFromStart,
    };
  }
}
