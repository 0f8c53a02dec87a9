/**
 * Undoes deflate (RFC 1951) as far as it goes. The built-in one gives nothing back for a stream that is cut short,
 * damaged further on, or larger than a cap; here whatever came out before that is what matters.
 */
export interface Inflated {
  readonly output: Buffer;
  /** `open`: the input ended in the middle. `cut`: the cap was reached. */
  readonly state: 'done' | 'open' | 'cut' | 'broken';
  /** Bytes that were made on the way: what it has cost. */
  readonly workBytes: number;
}

interface Codes {
  /** How many codes there are of each length, and the symbols in order of their codes. */
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const longestCodeBits = 15;
/** Most guesses end after a few bytes. */
const firstOutputBytes = 512;
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Thrown to leave from the depth of a code; no Error, because a guess that fails is nothing to trace. */
class End {
  readonly state: Inflated['state'];
  constructor(state: Inflated['state']) {
    this.state = state;
  }
}

function makeCodes(lengths: readonly number[]): Codes {
  const counts = new Uint16Array(longestCodeBits + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(longestCodeBits + 2);
  let room = 1;
  for (let length = 1; length <= longestCodeBits; length += 1) {
    const count = counts[length] ?? 0;
    room = room * 2 - count;
    if (room < 0) throw new End('broken');
    offsets[length + 1] = (offsets[length] ?? 0) + count;
  }
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const at = offsets[length] ?? 0;
    symbols[at] = symbol;
    offsets[length] = at + 1;
  });
  return { counts, symbols };
}

const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

const fixedCodes = {
  literals: makeCodes([...repeat(8, 144), ...repeat(9, 112), ...repeat(7, 24), ...repeat(8, 8)]),
  distances: makeCodes(repeat(5, 30)),
};

class Inflater {
  output: Buffer;
  size = 0;
  readonly #input: Uint8Array;
  readonly #cap: number;
  #at: number;
  #held = 0;
  #heldBits = 0;

  constructor(input: Uint8Array, from: number, cap: number) {
    this.#input = input;
    this.#at = from;
    this.#cap = cap;
    this.output = Buffer.allocUnsafe(Math.min(cap, firstOutputBytes));
  }

  #bits(count: number): number {
    while (this.#heldBits < count) {
      const byte = this.#input[this.#at];
      if (byte === undefined) throw new End('open');
      this.#at += 1;
      this.#held |= byte << this.#heldBits;
      this.#heldBits += 8;
    }
    const value = this.#held & ((1 << count) - 1);
    this.#held >>>= count;
    this.#heldBits -= count;
    return value;
  }

  /** Canonical codes: the first code of each length follows from how many shorter ones there are. */
  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= longestCodeBits; length += 1) {
      code |= this.#bits(1);
      const count = counts[length] as number;
      if (code - count < first) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new End('broken');
  }

  #put(byte: number): void {
    if (this.size === this.output.length) this.#grow();
    this.output[this.size] = byte;
    this.size += 1;
  }

  #grow(): void {
    if (this.size >= this.#cap) throw new End('cut');
    const larger = Buffer.allocUnsafe(Math.min(this.#cap, this.output.length * 2));
    this.output.copy(larger);
    this.output = larger;
  }

  #stored(): void {
    this.#held = 0;
    this.#heldBits = 0;
    const length = this.#bits(8) | (this.#bits(8) << 8);
    const check = this.#bits(8) | (this.#bits(8) << 8);
    if ((length ^ check) !== 0xffff) throw new End('broken');
    for (let count = 0; count < length; count += 1) this.#put(this.#bits(8));
  }

  #dynamic(): { readonly literals: Codes; readonly distances: Codes } {
    const literalCount = this.#bits(5) + 257;
    const distanceCount = this.#bits(5) + 1;
    const orderCount = this.#bits(4) + 4;
    if (literalCount > 286 || distanceCount > 30) throw new End('broken');
    const orderLengths = repeat(0, 19);
    for (const place of codeLengthOrder.slice(0, orderCount)) orderLengths[place] = this.#bits(3);
    const order = makeCodes(orderLengths);
    const lengths: number[] = [];
    while (lengths.length < literalCount + distanceCount) {
      const symbol = this.#symbol(order);
      if (symbol < 16) lengths.push(symbol);
      else if (symbol === 16) {
        const last = lengths.at(-1);
        if (last === undefined) throw new End('broken');
        lengths.push(...repeat(last, 3 + this.#bits(2)));
      } else lengths.push(...repeat(0, symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7)));
    }
    if (lengths.length > literalCount + distanceCount || lengths[256] === 0) throw new End('broken');
    return { literals: makeCodes(lengths.slice(0, literalCount)), distances: makeCodes(lengths.slice(literalCount)) };
  }

  #compressed({ literals, distances }: { readonly literals: Codes; readonly distances: Codes }): void {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol === 256) return;
      if (symbol < 256) {
        this.#put(symbol);
        continue;
      }
      const base = lengthBases[symbol - 257];
      if (base === undefined) throw new End('broken');
      const length = base + this.#bits(lengthBits[symbol - 257] ?? 0);
      const reach = this.#symbol(distances);
      const distanceBase = distanceBases[reach];
      if (distanceBase === undefined) throw new End('broken');
      const distance = distanceBase + this.#bits(reach < 4 ? 0 : (reach >> 1) - 1);
      if (distance > this.size) throw new End('broken');
      for (let count = 0; count < length; count += 1) this.#put(this.output[this.size - distance] as number);
    }
  }

  run(): void {
    for (let isLast = false; !isLast; ) {
      isLast = this.#bits(1) === 1;
      const type = this.#bits(2);
      if (type === 0) this.#stored();
      else if (type === 1) this.#compressed(fixedCodes);
      else if (type === 2) this.#compressed(this.#dynamic());
      else throw new End('broken');
    }
  }
}

export function inflate(input: Uint8Array, from: number, capBytes: number): Inflated {
  const inflater = new Inflater(input, from, capBytes);
  let state: Inflated['state'] = 'done';
  try {
    inflater.run();
  } catch (error) {
    if (!(error instanceof End)) throw error;
    state = error.state;
  }
  return { output: inflater.output.subarray(0, inflater.size), state, workBytes: inflater.size };
}
