/** A bucket of tokens for each client: it fills with time, and every request takes one. */

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const mostBuckets = 10_000;

export class Rate {
  readonly #limit: RateLimit;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** False when there is none left; nothing is taken then. */
  take(client: string): boolean {
    const bucket = this.#fill(client);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Whether there is one to take. */
  has(client: string): boolean {
    return this.#fill(client).tokens >= 1;
  }

  #fill(client: string): Bucket {
    const now = this.#now();
    const known = this.#buckets.get(client);
    const { perSecond, burst } = this.#limit;
    const grown = known === undefined ? burst : known.tokens + ((now - known.filledAt) / 1000) * perSecond;
    const bucket = { tokens: Math.min(burst, grown), filledAt: now };
    // Put back at the end: the first in the map is who has not been seen for longest.
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostBuckets && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}
