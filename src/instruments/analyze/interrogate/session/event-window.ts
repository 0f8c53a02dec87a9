import type { Event } from '../../../../base/event-schema.ts';

/** The events of a run as they come, kept for as long as calls are judged. */

const mostKept = 200_000;

export class EventWindow {
  #events: Event[] = [];
  dropped = 0;

  readonly add = (events: readonly Event[]): void => {
    this.#events.push(...events);
    if (this.#events.length <= mostKept) return;
    this.dropped += this.#events.length - mostKept / 2;
    this.#events = this.#events.slice(-mostKept / 2);
  };

  /** Those that happened from one moment to another, in the order of the log. */
  between(fromNs: bigint, toNs: bigint): readonly Event[] {
    return this.#events.filter(({ at }) => {
      const ns = BigInt(at.monotonicNs);
      return ns >= fromNs && ns <= toNs;
    });
  }
}
