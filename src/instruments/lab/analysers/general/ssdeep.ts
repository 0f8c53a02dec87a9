/** Fuzzy hashes by context-triggered pieces, in the form that `ssdeep` writes. */

const windowBytes = 7;
const leastBlock = 3;
const mostPieces = 64;
const halfPieces = mostPieces / 2;
const scaleCount = 31;
const hashStart = 0x27;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Only six bits of the running hash are ever shown, and they depend on six bits of it: a table is enough. */
const hashTable = Uint8Array.from({ length: 64 * 64 }, (_, index) => ((index >> 6) * 0x13) ^ (index & 63)).map(
  (value) => value & 63,
);

/** What is known of the text so far when it is cut at one size of block. */
interface Scale {
  pieces: string;
  /** The last piece while there is no room for another one. */
  last: string;
  halfLast: string;
}

const newScale = (): Scale => ({ pieces: '', last: '', halfLast: '' });

const blockOf = (scale: number): number => leastBlock * 2 ** scale;

function firstScale(size: number): number {
  let scale = 0;
  while (scale < scaleCount - 1 && blockOf(scale) * mostPieces < size) scale += 1;
  return scale;
}

interface Rolled {
  readonly scales: readonly Scale[];
  readonly hashes: Uint8Array;
  readonly halfHashes: Uint8Array;
  /** The rolling sum behind the last byte. */
  readonly sum: number;
}

/** The running hashes of all scales; they lie apart from the rest, since every byte changes them. */
class Roller {
  readonly scales: Scale[] = [newScale()];
  readonly hashes = new Uint8Array(scaleCount).fill(hashStart);
  readonly halfHashes = new Uint8Array(scaleCount).fill(hashStart);
  readonly #size: number;
  readonly #mostScales: number;
  first = 0;

  constructor(size: number) {
    this.#size = size;
    this.#mostScales = Math.min(firstScale(size) + 2, scaleCount);
  }

  /** Ends a piece in every scale whose block divides `trigger`. */
  cut(trigger: number): void {
    for (let index = this.first; index < this.scales.length && trigger % blockOf(index) === 0; index += 1) {
      this.#cutScale(index);
    }
    // A scale that has been outgrown is never chosen: the next one has enough pieces already.
    const next = this.scales[this.first + 1];
    const isOutgrown = next !== undefined && next.pieces.length >= halfPieces;
    if (isOutgrown && blockOf(this.first) * mostPieces < this.#size) this.first += 1;
  }

  #cutScale(index: number): void {
    const scale = this.scales[index];
    if (scale === undefined) return;
    const hash = this.hashes[index] ?? 0;
    const halfHash = this.halfHashes[index] ?? 0;
    if (scale.pieces === '' && index === this.scales.length - 1 && this.scales.length < this.#mostScales) {
      this.hashes[index + 1] = hash;
      this.halfHashes[index + 1] = halfHash;
      this.scales.push(newScale());
    }
    scale.last = alphabet[hash] ?? '';
    scale.halfLast = alphabet[halfHash] ?? '';
    if (scale.pieces.length >= mostPieces - 1) return;
    scale.pieces += scale.last;
    scale.last = '';
    this.hashes[index] = hashStart;
    if (scale.pieces.length >= halfPieces) return;
    this.halfHashes[index] = hashStart;
    scale.halfLast = '';
  }
}

function roll(bytes: Uint8Array, tick: () => void): Rolled {
  const window = new Uint8Array(windowBytes);
  const roller = new Roller(bytes.length);
  const { scales, hashes, halfHashes } = roller;
  let [sumA, sumB, sumC, slot] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    if ((at & 0xffff) === 0) tick();
    const byte = bytes[at] ?? 0;
    sumB = (sumB - sumA + windowBytes * byte) | 0;
    sumA = (sumA + byte - (window[slot] ?? 0)) | 0;
    window[slot] = byte;
    slot = slot === windowBytes - 1 ? 0 : slot + 1;
    sumC = (sumC << 5) ^ byte;
    const low = byte & 63;
    for (let index = roller.first; index < scales.length; index += 1) {
      hashes[index] = hashTable[((hashes[index] ?? 0) << 6) | low] ?? 0;
      halfHashes[index] = hashTable[((halfHashes[index] ?? 0) << 6) | low] ?? 0;
    }
    const next = (sumA + sumB + sumC + 1) | 0;
    // A block is three times a power of two; the cheap half of the question is asked first.
    if (next === 0 || (next & ((1 << roller.first) - 1)) !== 0) continue;
    const trigger = next >>> 0;
    if (trigger % leastBlock === 0) roller.cut(trigger);
  }
  return { scales, hashes, halfHashes, sum: (sumA + sumB + sumC) >>> 0 };
}

export function ssdeep(bytes: Uint8Array, tick: () => void = () => undefined): string {
  const { scales, hashes, halfHashes, sum } = roll(bytes, tick);
  let chosen = Math.min(firstScale(bytes.length), scales.length - 1);
  while (chosen > 0 && (scales[chosen]?.pieces.length ?? 0) < halfPieces) chosen -= 1;
  const main = scales[chosen] ?? newScale();
  const double = scales[chosen + 1];
  const tail = (hash: number | undefined, last: string): string => (sum === 0 ? last : (alphabet[hash ?? 0] ?? ''));
  const first = main.pieces + tail(hashes[chosen], main.last);
  const second =
    double === undefined
      ? tail(hashes[chosen], '')
      : double.pieces.slice(0, halfPieces - 1) + tail(halfHashes[chosen + 1], double.halfLast);
  return `${blockOf(chosen)}:${first}:${second}`;
}
