/**
 * Tells whether an object has a key twice: two readers may take different ones, and what one of them checked is then not
 * what the other does. Keys are compared by a hash first, since almost none are equal.
 */

interface Level {
  readonly hashes: number[];
  readonly starts: number[];
  readonly ends: number[];
  /** From so many keys on, by hash. */
  index: Map<number, number> | null;
  /** From the first two different keys with one hash on. */
  exact: Set<string> | null;
}

const fewKeys = 24;

/** A key as it is meant, of the bytes between its quotes. Compared by what it means: `"\u006eame"` is `"name"`. */
export function keyText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function hashText(text: string): number {
  let hash = 0;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

export class KeyWatch {
  readonly #bytes: Buffer;
  readonly #levels: Level[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  open(depth: number): void {
    const level = this.#levels[depth];
    if (level === undefined) {
      this.#levels[depth] = { hashes: [], starts: [], ends: [], index: null, exact: null };
      return;
    }
    level.hashes.length = 0;
    level.starts.length = 0;
    level.ends.length = 0;
    level.index = null;
    level.exact = null;
  }

  /** True when this object has had the key. `hash` is over the bytes as they stand, each folded in by `hashText`. */
  add(depth: number, start: number, end: number, plainHash: number, hasEscape: boolean): boolean {
    const level = this.#levels[depth];
    if (level === undefined) return false;
    const hash = hasEscape ? hashText(keyText(this.#bytes, start, end)) : plainHash;
    const isKnown = this.#isKnown(level, start, end, hash);
    level.hashes.push(hash);
    level.starts.push(start);
    level.ends.push(end);
    return isKnown;
  }

  #isKnown(level: Level, start: number, end: number, hash: number): boolean {
    const { hashes } = level;
    if (level.exact !== null) {
      const key = keyText(this.#bytes, start, end);
      const isKnown = level.exact.has(key);
      level.exact.add(key);
      return isKnown;
    }
    if (hashes.length < fewKeys) {
      for (let at = 0; at < hashes.length; at += 1)
        if (hashes[at] === hash && this.#isSame(level, at, start, end)) return true;
      return false;
    }
    level.index ??= new Map(hashes.map((each, at) => [each, at]));
    const same = level.index.get(hash);
    if (same === undefined) {
      level.index.set(hash, hashes.length);
      return false;
    }
    if (this.#isSame(level, same, start, end)) return true;
    const keys = level.starts.map((from, at) => keyText(this.#bytes, from, level.ends[at] ?? from));
    level.exact = new Set(keys);
    return this.#isKnown(level, start, end, hash);
  }

  #isSame(level: Level, at: number, start: number, end: number): boolean {
    return keyText(this.#bytes, level.starts[at] ?? 0, level.ends[at] ?? 0) === keyText(this.#bytes, start, end);
  }
}
