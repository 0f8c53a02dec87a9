import type { FrontGate } from './contract.ts';

/**
 * Which gate a request belongs to. Answers are judged by what was asked, and two clients may give their requests the same
 * ids, so every session has a gate of its own. What belongs to no session is one exchange, and so is its gate.
 */

/** A gate that somebody is using. */
export interface Lease {
  readonly gate: FrontGate;
  /** From now on these requests belong to it too. */
  keep(key: string): void;
  release(): void;
}

interface Session {
  readonly gate: FrontGate;
  readonly keys: Set<string>;
  users: number;
}

const longestKey = 4096;

export class Sessions {
  readonly #open: () => FrontGate;
  readonly #most: number;
  /** By key; those that were used longest ago come first. */
  readonly #byKey = new Map<string, Session>();

  constructor(open: () => FrontGate, most: number) {
    this.#open = open;
    this.#most = most;
  }

  get size(): number {
    return new Set(this.#byKey.values()).size;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Null when there are too many. Without a key the gate is a new one. */
  take(key: string | null): Lease | null {
    if (key !== null && key.length > longestKey) return null;
    const known = key === null ? undefined : this.#byKey.get(key);
    if (known === undefined && key !== null && this.#byKey.size >= this.#most && !this.#forgetOldest()) return null;
    const session = known ?? { gate: this.#open(), keys: new Set<string>(), users: 0 };
    session.users += 1;
    if (key !== null) this.#keep(session, key);
    let isHeld = true;
    return {
      gate: session.gate,
      keep: (more) => {
        if (more.length > longestKey || this.#byKey.has(more)) return;
        if (this.#byKey.size >= this.#most && !this.#forgetOldest()) return;
        this.#keep(session, more);
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        session.users -= 1;
        if (session.users === 0 && session.keys.size === 0) session.gate.close();
      },
    };
  }

  forget(key: string): void {
    const session = this.#byKey.get(key);
    if (session === undefined) return;
    for (const each of session.keys) this.#byKey.delete(each);
    session.keys.clear();
    if (session.users === 0) session.gate.close();
  }

  close(): void {
    for (const key of [...this.#byKey.keys()]) this.forget(key);
  }

  #keep(session: Session, key: string): void {
    session.keys.add(key);
    this.#byKey.delete(key);
    this.#byKey.set(key, session);
  }

  #forgetOldest(): boolean {
    for (const [key, { users }] of this.#byKey) {
      if (users > 0) continue;
      this.forget(key);
      return true;
    }
    return false;
  }
}
