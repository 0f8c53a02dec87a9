import type { Event } from '../../../../base/event-schema.ts';

/** The events of a run as they come, kept for as long as calls are judged. */

const mostKept = 200_000;

interface Kept {
  readonly ns: bigint;
  /** The latest moment up to here: sensors hand over in nearly the order of time, and some are far behind. */
  readonly latestNs: bigint;
  readonly event: Event;
}

export class EventWindow {
  #kept: Kept[] = [];
  dropped = 0;

  readonly add = (events: readonly Event[]): void => {
    for (const event of events) {
      const ns = BigInt(event.at.monotonicNs);
      const before = this.#kept.at(-1)?.latestNs ?? 0n;
      this.#kept.push({ ns, latestNs: ns > before ? ns : before, event });
    }
    if (this.#kept.length <= mostKept) return;
    this.dropped += this.#kept.length - mostKept / 2;
    this.#kept = this.#kept.slice(-mostKept / 2);
  };

  /** Those that happened from one moment to another, in the order of the log. */
  between(fromNs: bigint, toNs: bigint): readonly Event[] {
    const found: Event[] = [];
    for (let at = this.#kept.length - 1; at >= 0; at -= 1) {
      const kept = this.#kept[at];
      if (kept === undefined || kept.latestNs < fromNs) break;
      if (kept.ns >= fromNs && kept.ns <= toNs) found.push(kept.event);
    }
    return found.reverse();
  }
}
