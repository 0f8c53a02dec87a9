/**
 * Every processor hands over its events by itself, so those of one process that moved come in the wrong order. They are
 * kept for two beats and sorted by their time; what comes later than that keeps its time, but not its place.
 */

interface Timed {
  readonly at: bigint;
}

export class OrderWindow<T extends Timed> {
  #held: T[] = [];
  #newest = 0n;
  #limit = 0n;

  add(item: T): void {
    this.#held.push(item);
    if (item.at > this.#newest) this.#newest = item.at;
  }

  get size(): number {
    return this.#held.length;
  }

  /** Gives what was the past already at the last beat. */
  beat(): readonly T[] {
    const limit = this.#limit;
    this.#limit = this.#newest;
    if (this.#held.length === 0) return [];
    const due: T[] = [];
    const later: T[] = [];
    for (const item of this.#held) (item.at <= limit ? due : later).push(item);
    this.#held = later;
    return sortByTime(due);
  }

  /** Gives everything. */
  drain(): readonly T[] {
    const all = this.#held;
    this.#held = [];
    return sortByTime(all);
  }
}

/** Of two at the same time the first comes first. */
function sortByTime<T extends Timed>(items: T[]): readonly T[] {
  return items.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
