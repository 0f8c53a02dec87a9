import { describeError } from '../../../base/errors.ts';
import type { Collection, StoreHandle } from '../../../engine/store/contract.ts';
import type { CanaryPlace, GuardRecorder } from '../contract.ts';
import { type CanaryLeak, chainPrefix, describePlanting, leakKey, leaksDefinition } from './documents.ts';
import type { TokenHit } from './token-search.ts';

/** Leaks as they are found: into the store for whoever follows the chain, into the ledger for ever, once per way. */

export interface LeakBookOptions {
  readonly store: StoreHandle;
  /** Null where nothing is decided, such as in a search that somebody asked for. */
  readonly recorder: GuardRecorder | null;
  readonly onLeak?: (leak: CanaryLeak) => void;
  readonly onFailure?: (because: string) => void;
}

const longestName = 500;
/** Ways that are told in one session; a flood of names tells nothing more. */
const mostWays = 1000;
/** How often the count of a known way is written down again. */
const countEvery = 100;

export class LeakBook {
  readonly #options: LeakBookOptions;
  readonly #leaks: Collection<CanaryLeak>;
  readonly #ways = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();

  constructor(options: LeakBookOptions) {
    this.#options = options;
    this.#leaks = options.store.collection(leaksDefinition);
  }

  tell({ canary, encoding }: TokenHit, where: CanaryPlace): void {
    const { id, chain, plantedIn, downstream } = canary;
    const at = new Date().toISOString();
    const leak: CanaryLeak = {
      chain,
      canary: id,
      plantedIn,
      foundIn: { ...where, name: where.name.slice(0, longestName).toWellFormed() },
      encoding,
      isDownstream: downstream.includes(where.server),
      count: 1,
      firstAt: at,
      lastAt: at,
    };
    const key = leakKey(leak);
    const times = (this.#ways.get(key) ?? 0) + 1;
    if (times === 1 && this.#ways.size >= mostWays) return;
    this.#ways.set(key, times);
    if (times === 1) this.#tellFirst(key, leak);
    else if (times % countEvery === 0) this.#count(key, leak, countEvery);
  }

  #tellFirst(key: string, leak: CanaryLeak): void {
    this.#count(key, leak, 1);
    const { recorder, onLeak } = this.#options;
    onLeak?.(leak);
    if (recorder === null) return;
    const { canary, plantedIn, foundIn, encoding, chain } = leak;
    const appended = recorder.ledger
      .append({
        instrument: 'guard',
        action: 'canary.leak',
        verdict: 'refused',
        session: recorder.session,
        server: foundIn.server,
        rule: 'canaries/leaving',
        details: {
          canary,
          chain,
          plantedIn: describePlanting(plantedIn),
          plantedServer: plantedIn.server,
          foundIn,
          encoding,
        },
      })
      .then(
        () => undefined,
        (error: unknown) => this.#fail(error),
      )
      .finally(() => this.#pending.delete(appended));
    this.#pending.add(appended);
  }

  /** The ledger is what counts; a store that is full loses a line for whoever looks at the chain. */
  #count(key: string, leak: CanaryLeak, more: number): void {
    try {
      this.#leaks.change(key, (before) =>
        before === null ? { ...leak, count: more } : { ...before, count: before.count + more, lastAt: leak.lastAt },
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#options.onFailure?.(`a leak could not be written down: ${describeError(error)}`);
  }

  /** When everything that was found is on the disk. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

export function listLeaks(store: StoreHandle, chainId?: string): readonly CanaryLeak[] {
  const leaks = store.collection(leaksDefinition);
  return leaks.list(chainId === undefined ? {} : { prefix: chainPrefix(chainId) }).map(({ value }) => value);
}
