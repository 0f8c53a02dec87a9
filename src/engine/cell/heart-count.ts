import type { Sighting } from '../sensor/contract.ts';

/** Counts the beats of an airlock's heart that a sensor saw whole: the opening and the connecting. */

const pollMs = 10;

export class HeartCount {
  readonly #half = new Map<string, string>();
  expected = 0;
  seen = 0;

  note({ kind, fields }: Sighting): void {
    if (kind !== 'heartbeat') return;
    const key = `${String(fields.nonce)} ${String(fields.number)}`;
    const part = String(fields.of);
    const other = this.#half.get(key);
    if (other === undefined) this.#half.set(key, part);
    else if (other !== part) {
      this.#half.delete(key);
      this.seen += 1;
    }
  }

  /** Waits until all are seen, as long as it may take and `isWorthIt` says so. */
  async settle(longestMs: number, isWorthIt: () => boolean): Promise<void> {
    const deadline = performance.now() + longestMs;
    while (this.seen < this.expected && performance.now() < deadline && isWorthIt()) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}
