import type { Share } from './limits.ts';

/** Counts something that is held for a while, in all and for each client. */
export class Quota {
  readonly #share: Share;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(share: Share) {
    this.#share = share;
  }

  get total(): number {
    return this.#total;
  }

  heldBy(client: string): number {
    return this.#held.get(client) ?? 0;
  }

  /** Null when it would be too much; otherwise what gives it back, once. */
  take(client: string, amount = 1): (() => void) | null {
    const held = this.heldBy(client);
    if (held + amount > this.#share.each || this.#total + amount > this.#share.inAll) return null;
    this.#held.set(client, held + amount);
    this.#total += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#total -= amount;
      const left = this.heldBy(client) - amount;
      if (left > 0) this.#held.set(client, left);
      else this.#held.delete(client);
    };
  }
}
