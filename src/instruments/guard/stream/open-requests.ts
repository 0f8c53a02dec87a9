import type { Message } from '../contract.ts';

/** Requests of one side that wait for their answers, so that an answer is judged by what was asked. */

export interface OpenRequest {
  readonly message: Message;
  readonly rawId: string;
}

interface Entry extends OpenRequest {
  isSent: boolean;
  isCancelled: boolean;
}

export type Opened = 'open' | 'id-in-use' | 'too-many';

function keyOf(id: string | number): string {
  return typeof id === 'number' ? `n${id}` : `s${id}`;
}

export class OpenRequests {
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  open(id: string | number, rawId: string, message: Message): Opened {
    const key = keyOf(id);
    const before = this.#entries.get(key);
    if (before !== undefined && !before.isCancelled) return 'id-in-use';
    if (before !== undefined) this.#entries.delete(key);
    if (this.#entries.size >= this.#most && !this.#forgetCancelled()) return 'too-many';
    this.#entries.set(key, { message, rawId, isSent: false, isCancelled: false });
    return 'open';
  }

  /** An answer that comes before the question went out is a guess. */
  markSent(id: string | number): void {
    const entry = this.#entries.get(keyOf(id));
    if (entry !== undefined) entry.isSent = true;
  }

  /** The answer may still come, or never. */
  markCancelled(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const entry = this.#entries.get(keyOf(id));
    if (entry !== undefined) entry.isCancelled = true;
  }

  /** Null when nobody asked. Whoever takes it has the answer. */
  take(id: string | number): OpenRequest | null {
    const key = keyOf(id);
    const entry = this.#entries.get(key);
    if (entry === undefined || !entry.isSent) return null;
    this.#entries.delete(key);
    return entry;
  }

  withdraw(id: string | number): void {
    this.#entries.delete(keyOf(id));
  }

  /** Those that will never be answered. */
  takeAll(): readonly OpenRequest[] {
    const all = [...this.#entries.values()].filter(({ isCancelled }) => !isCancelled);
    this.#entries.clear();
    return all;
  }

  #forgetCancelled(): boolean {
    for (const [key, { isCancelled }] of this.#entries)
      if (isCancelled) {
        this.#entries.delete(key);
        return true;
      }
    return false;
  }
}
