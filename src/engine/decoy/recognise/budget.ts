/** How much work one stream may cause beyond the plain search, and what was left out because of it. */
export interface RecogniserLimits {
  /** Bytes that may be decoded at once, and how many more per byte that came in. */
  readonly decodeBytes: number;
  readonly decodeRatio: number;
  /** Of one compressed region: what is kept of it, and what may come out of it. */
  readonly compressedBytes: number;
  readonly inflatedBytes: number;
  /** Compressed regions that are followed at the same time in one layer. */
  readonly openRegions: number;
  /** Tries at compression that carries no mark, at once; more are earned with what comes in. */
  readonly guesses: number;
  readonly hits: number;
  readonly streams: number;
}

export const defaultLimits: RecogniserLimits = {
  decodeBytes: 16 * 1024 * 1024,
  decodeRatio: 32,
  compressedBytes: 1024 * 1024,
  inflatedBytes: 4 * 1024 * 1024,
  openRegions: 8,
  guesses: 2048,
  hits: 1000,
  streams: 1024,
};

/** All zero: everything was looked at. */
export interface Cuts {
  /** Bytes of encoded regions that were not decoded. */
  undecodedBytes: number;
  /** Compressed regions that were followed only to a cap, or not at all. */
  cutRegions: number;
  /** Beginnings that might have been compressed without a mark, and were not tried. */
  untriedGuesses: number;
  droppedHits: number;
  droppedStreams: number;
}

export function noCuts(): Cuts {
  return { undecodedBytes: 0, cutRegions: 0, untriedGuesses: 0, droppedHits: 0, droppedStreams: 0 };
}

/** A guess costs about as much as searching so many bytes. */
const bytesPerGuess = 4096;

export class Budget {
  readonly limits: RecogniserLimits;
  readonly cuts: Cuts;
  #allowance: number;
  #guesses: number;

  constructor(limits: RecogniserLimits, cuts: Cuts) {
    this.limits = limits;
    this.cuts = cuts;
    this.#allowance = limits.decodeBytes;
    this.#guesses = limits.guesses;
  }

  earn(fedBytes: number): void {
    this.#allowance += fedBytes * this.limits.decodeRatio;
    this.#guesses += fedBytes / bytesPerGuess;
  }

  /** True when so much may be decoded; false, and counted, when not. */
  spend(sizeBytes: number): boolean {
    if (sizeBytes > this.#allowance) {
      this.cuts.undecodedBytes += sizeBytes;
      return false;
    }
    this.#allowance -= sizeBytes;
    return true;
  }

  get remaining(): number {
    return this.#allowance;
  }

  /** For work whose size is known only afterwards. */
  charge(sizeBytes: number): void {
    this.#allowance = Math.max(0, this.#allowance - sizeBytes);
  }

  guess(): boolean {
    if (this.#guesses < 1) {
      this.cuts.untriedGuesses += 1;
      return false;
    }
    this.#guesses -= 1;
    return true;
  }
}
