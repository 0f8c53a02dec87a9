/**
 * Finds thousands of short texts in one pass. A table of beginnings of four characters says at almost every place that
 * none of them can begin there. Case of ASCII letters does not count; what is looked for is given in lower case.
 */

/** Of an ASCII letter the lower-case one, of everything else itself. */
const folded = Uint8Array.from({ length: 128 }, (_, code) => (code >= 0x41 && code <= 0x5a ? code | 0x20 : code));
/** Five bits per step, so that what is further back than a beginning has left the number. */
const stepBits = 5;
/** Stands for everything beyond ASCII where only ASCII is looked for, and for what follows the last character. */
const other = 127;

function foldCode(code: number): number {
  return code < 128 ? (folded[code] as number) : code;
}

const blockBytes = 64;
export class LiteralFinder {
  readonly #literals: readonly string[];
  readonly #bytes: readonly Uint8Array[];
  /** How many characters a beginning has: four, or two for scripts whose words are as short as that. */
  readonly #lead: 2 | 4;
  readonly #mask: number;
  /** By hash of a beginning: nothing, or which bucket has those that begin so. */
  readonly #table: Uint16Array;
  readonly #buckets: number[][] = [[]];

  constructor(literals: readonly string[], lead: 2 | 4) {
    this.#literals = literals;
    this.#bytes = literals.map((literal) => new Uint8Array(Buffer.from(literal, 'latin1')));
    this.#lead = lead;
    this.#mask = 2 ** (stepBits * lead) - 1;
    this.#table = new Uint16Array(this.#mask + 1);
    for (const [index, literal] of literals.entries()) {
      const start = [...literal.slice(0, lead)].map((character) => character.charCodeAt(0));
      // After a shorter one anything may follow.
      if (start.length >= lead) this.#add(start, index);
      else for (let next = 0; next < 128; next += 1) this.#add([...start, foldCode(next)], index);
    }
  }

  #add(start: readonly number[], index: number): void {
    const hash = start.reduce((before, code) => ((before << stepBits) ^ code) & this.#mask, 0);
    const known = this.#table[hash] as number;
    if (known === 0) this.#table[hash] = this.#buckets.push([index]) - 1;
    else if (this.#buckets[known]?.includes(index) === false) this.#buckets[known]?.push(index);
  }

  /** `found` is told the index of the literal and where it begins. */
  find(text: string, found: (literal: number, at: number) => void): void {
    if (this.#literals.length === 0) return;
    if (this.#lead === 2) {
      this.#findWide(text, found);
      return;
    }
    // Of a character beyond ASCII one byte is left, which may look like a letter: texts are compared, bytes only guess.
    const bytes = Buffer.from(text, 'latin1');
    this.#blocks(bytes, (hash, start) => {
      this.#verify(text, hash, start, found);
      return false;
    });
    const last = ((this.#hashBefore(bytes, bytes.length) << stepBits) ^ other) & this.#mask;
    if (this.#table[last] !== 0) this.#verify(text, last, text.length + 1 - this.#lead, found);
  }

  /** As `find`, for bytes of which only those of ASCII are compared. */
  scan(bytes: Buffer, found: (literal: number, at: number) => void): void {
    if (this.#literals.length === 0) return;
    const table = this.#table;
    const mask = this.#mask;
    const total = bytes.length;
    let hash = 0;
    for (let at = 0; at < total; at += 1) {
      hash = ((hash << stepBits) ^ (folded[(bytes[at] as number) & 127] as number)) & mask;
      if (table[hash] !== 0) this.#verifyBytes(bytes, hash, at + 1 - this.#lead, found);
    }
    const last = ((this.#hashBefore(bytes, bytes.length) << stepBits) ^ other) & this.#mask;
    if (this.#table[last] !== 0) this.#verifyBytes(bytes, last, bytes.length + 1 - this.#lead, found);
  }

  #findWide(text: string, found: (literal: number, at: number) => void): void {
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      hash = ((hash << stepBits) ^ foldCode(text.charCodeAt(at))) & this.#mask;
      if (this.#table[hash] !== 0) this.#verify(text, hash, at + 1 - this.#lead, found);
    }
  }

  /** Calls `check` wherever one of them may begin, until it says true. */
  #blocks(bytes: Buffer, check: (hash: number, start: number) => boolean): boolean {
    const table = this.#table;
    const mask = this.#mask;
    const total = bytes.length;
    let hash = 0;
    for (let block = 0; block < total; block += blockBytes) {
      const end = Math.min(total, block + blockBytes);
      let hits = 0;
      // No branch in here: the loop over a megabyte is this one.
      for (let at = block; at < end; at += 1) {
        hash = ((hash << stepBits) ^ (folded[(bytes[at] as number) & 127] as number)) & mask;
        hits |= table[hash] as number;
      }
      if (hits !== 0 && this.#inBlock(bytes, block, end, check)) return true;
    }
    return false;
  }

  #inBlock(bytes: Buffer, start: number, end: number, check: (hash: number, start: number) => boolean): boolean {
    let hash = this.#hashBefore(bytes, start);
    for (let at = start; at < end; at += 1) {
      hash = ((hash << stepBits) ^ (folded[(bytes[at] as number) & 127] as number)) & this.#mask;
      if (this.#table[hash] !== 0 && check(hash, at + 1 - this.#lead)) return true;
    }
    return false;
  }

  #hashBefore(bytes: Buffer, end: number): number {
    let hash = 0;
    for (let at = Math.max(0, end - this.#lead); at < end; at += 1)
      hash = ((hash << stepBits) ^ (folded[(bytes[at] as number) & 127] as number)) & this.#mask;
    return hash;
  }

  #verifyBytes(bytes: Buffer, hash: number, start: number, found: (literal: number, at: number) => void): void {
    if (start < 0) return;
    const bucket = this.#buckets[this.#table[hash] as number] as readonly number[];
    for (let place = 0; place < bucket.length; place += 1) {
      const index = bucket[place] as number;
      const literal = this.#bytes[index] as Uint8Array;
      const length = literal.length;
      if (start + length > bytes.length) continue;
      let at = 0;
      while (at < length && (bytes[start + at] as number) < 128 && folded[bytes[start + at] as number] === literal[at])
        at += 1;
      if (at === length) found(index, start);
    }
  }

  #verify(text: string, hash: number, start: number, found: (literal: number, at: number) => void): void {
    if (start < 0) return;
    for (const index of this.#buckets[this.#table[hash] as number] ?? []) {
      const literal = this.#literals[index] ?? '';
      if (start + literal.length > text.length) continue;
      let at = 0;
      while (at < literal.length && foldCode(text.charCodeAt(start + at)) === literal.charCodeAt(at)) at += 1;
      if (at === literal.length) found(index, start);
    }
  }
}
