import type { Event } from '../../../../base/event-schema.ts';

/** The events of a run as they come, kept for as long as calls are judged. */

const mostKept = 200_000;
/** Sensors hand over in nearly the order of time; none is further behind than this. */
const disorderNs = 5_000_000_000n;

interface Kept {
  readonly ns: bigint;
  readonly event: Event;
}

export class EventWindow {
  #kept: Kept[] = [];
  dropped = 0;

  readonly add = (events: readonly Event[]): void => {
    for (const event of events) this.#kept.push({ ns: BigInt(event.at.monotonicNs), event });
    if (this.#kept.length <= mostKept) return;
    this.dropped += this.#kept.length - mostKept / 2;
    this.#kept = this.#kept.slice(-mostKept / 2);
  };

  /** Those that happened from one moment to another, in the order of the log. */
  between(fromNs: bigint, toNs: bigint): readonly Event[] {
    const found: Event[] = [];
    for (let at = this.#kept.length - 1; at >= 0; at -= 1) {
      const kept = this.#kept[at];
      if (kept === undefined || kept.ns < fromNs - disorderNs) break;
      if (kept.ns >= fromNs && kept.ns <= toNs) found.push(kept.event);
    }
    return found.reverse();
  }
}
