import { UsageError } from '../../base/errors.ts';

/**
 * How many calls run at once. Clients wait in lines of their own and are let in by turns, so that one with a thousand
 * calls does not keep out one with a single call.
 */

export interface GateLimits {
  readonly mostRunning: number;
  /** Of one client. */
  readonly mostRunningEach: number;
  readonly mostWaitingEach: number;
}

export const usualGateLimits: GateLimits = { mostRunning: 32, mostRunningEach: 8, mostWaitingEach: 4096 };

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

export class CallGate {
  readonly #limits: GateLimits;
  /** In the order of whose turn it is: who was let in goes to the end. */
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor(limits: Partial<GateLimits> = {}) {
    this.#limits = { ...usualGateLimits, ...limits };
  }

  get running(): number {
    return this.#running;
  }

  /** Clients that have calls under way or waiting. */
  get clients(): number {
    return this.#lines.size;
  }

  /** @throws UsageError when too many of this client's calls wait already, or its signal is aborted meanwhile. */
  async run<Result>(client: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#enter(client, signal);
    try {
      return await work();
    } finally {
      this.#leave(client);
    }
  }

  async #enter(client: string, signal: AbortSignal): Promise<void> {
    const line = this.#lines.get(client) ?? { running: 0, waiting: new Set() };
    this.#lines.set(client, line);
    if (this.#hasRoom(line)) return this.#admit(client, line);
    if (line.waiting.size >= this.#limits.mostWaitingEach) {
      throw new UsageError(`${line.waiting.size} calls of this client are waiting already`, {
        hint: 'wait for answers before calling again',
      });
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = (): void => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = (): void => {
      line.waiting.delete(start);
      this.#forgetIfIdle(client, line);
      reject(new UsageError('the call was cancelled while it waited'));
    };
    line.waiting.add(start);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  #hasRoom(line: Line): boolean {
    return this.#running < this.#limits.mostRunning && line.running < this.#limits.mostRunningEach;
  }

  #admit(client: string, line: Line): void {
    line.running += 1;
    this.#running += 1;
    this.#lines.delete(client);
    this.#lines.set(client, line);
  }

  #leave(client: string): void {
    const line = this.#lines.get(client);
    if (line === undefined) return;
    line.running -= 1;
    this.#running -= 1;
    this.#forgetIfIdle(client, line);
    for (const [next, { running, waiting }] of this.#lines) {
      if (running >= this.#limits.mostRunningEach) continue;
      const [start] = waiting;
      const waitingLine = this.#lines.get(next);
      if (start === undefined || waitingLine === undefined) continue;
      waiting.delete(start);
      this.#admit(next, waitingLine);
      start();
      return;
    }
  }

  #forgetIfIdle(client: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.#lines.delete(client);
  }
}
