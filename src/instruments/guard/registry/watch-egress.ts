import { describeError } from '../../../base/errors.ts';
import type { EgressAttempts } from '../../../engine/net/egress/attempts.ts';
import type { Collection, StoreHandle } from '../../../engine/store/index.ts';
import { type EgressOrderDocument, egressOrders, type RunningDocument, runningGuards } from './documents.ts';
import { startTimeOf } from './process-identity.ts';
import { endRunning, runningKey } from './running.ts';

/**
 * The end of the registry that is in the process of a running box: it says that the box runs, hears of rules that others
 * set for it, says what became of them, and hands over what the gate has counted.
 */

export interface EgressWatchOptions {
  readonly store: StoreHandle;
  readonly handle: string;
  readonly boxId: string;
  /** Puts the rules in force; false where there is no gate that could be told. Such as `gate.setRules(rules, mode)`. */
  readonly onRules: (order: EgressOrderDocument) => boolean | Promise<boolean>;
  /** Such as `gate.attempts`. */
  readonly attempts: () => EgressAttempts;
  readonly intervalMs?: number;
  readonly onProblem?: (problem: string) => void;
}

export interface EgressWatch extends AsyncDisposable {
  /** Looks now. What goes wrong is told to `onProblem`. */
  look(): Promise<void>;
  /** Hands over the last counts and takes itself off the list. */
  close(): Promise<void>;
}

const usualIntervalMs = 250;
const shortestIntervalMs = 20;

class Watch implements EgressWatch {
  readonly #options: EgressWatchOptions;
  readonly #key: string;
  readonly #running: Collection<RunningDocument>;
  readonly #orders: Collection<EgressOrderDocument>;
  readonly #timer: NodeJS.Timeout;
  #generation = Number.NaN;
  #heard = 0;
  #work: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: EgressWatchOptions) {
    const { store, handle, boxId, attempts, intervalMs = usualIntervalMs } = options;
    this.#options = options;
    this.#key = runningKey(handle, boxId);
    this.#running = store.collection(runningGuards);
    this.#orders = store.collection(egressOrders);
    this.#running.put(this.#key, {
      handle,
      boxId,
      pid: process.pid,
      startTime: startTimeOf(process.pid),
      startedAt: new Date().toISOString(),
      attempts: { ...attempts() },
      egress: null,
    });
    // Nobody stays alive in order to watch.
    this.#timer = setInterval(() => void this.look(), Math.max(shortestIntervalMs, intervalMs)).unref();
  }

  /** One look at a time: a gate that is slow to change its rules is not asked twice at once. */
  look(): Promise<void> {
    this.#work ??= this.#lookOnce()
      .catch((error: unknown) => this.#options.onProblem?.(`cannot watch for rules: ${describeError(error)}`))
      .finally(() => {
        this.#work = null;
      });
    return this.#work;
  }

  async #lookOnce(): Promise<void> {
    const { store, handle, attempts } = this.#options;
    this.#change((before) => {
      const now = attempts();
      const isSame = before.attempts.blocked === now.blocked && before.attempts.unlisted === now.unlisted;
      return isSame ? null : { ...before, attempts: { ...now } };
    });
    const generation = store.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    const order = this.#orders.get(handle)?.value ?? null;
    if (order === null || order.number <= this.#heard) return;
    const egress = await this.#apply(order);
    this.#heard = order.number;
    this.#change((before) => ({ ...before, egress }));
  }

  async #apply(order: EgressOrderDocument): Promise<NonNullable<RunningDocument['egress']>> {
    const { number } = order;
    try {
      const isApplied = await this.#options.onRules(order);
      return { number, isApplied, why: isApplied ? null : 'the box has no gate that could be told' };
    } catch (error) {
      return { number, isApplied: false, why: describeError(error).slice(0, 500) };
    }
  }

  /** Nothing is written where nothing has changed: a look costs one question then. */
  #change(change: (before: RunningDocument) => RunningDocument | null): void {
    const before = this.#running.get(this.#key)?.value ?? null;
    const after = before === null ? null : change(before);
    if (after !== null) this.#running.change(this.#key, (now) => (now === null ? null : after));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#work;
    endRunning(this.#options.store, this.#key, this.#options.attempts());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Resolves when the rules that are already set have been put in force. */
export async function watchEgress(options: EgressWatchOptions): Promise<EgressWatch> {
  const watch = new Watch(options);
  await watch.look();
  return watch;
}
