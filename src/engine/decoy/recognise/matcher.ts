import type { Pattern } from './patterns.ts';

/**
 * Searches for thousands of patterns at once by their last bytes (after Wu and Manber).
 *
 *     …… w w w w w w w w w w w w w b b b ……      a window, and the block of three bytes it ends with
 *
 * A table says for each block how far the nearest pattern's window could still end: for a block that stands in no
 * pattern that is almost a whole window, so most bytes are never looked at. Only where a block ends some window are
 * patterns compared. The table is addressed by a hash of the block with the case bit set, which makes two blocks that
 * differ in case, or collide, cost a comparison and never a miss.
 */
export interface Matcher {
  /** Every pattern that ends at or after `from`. Looks back into `bytes` before `from`. */
  scan(bytes: Uint8Array, from: number, found: (pattern: Pattern, start: number, end: number) => void): void;
}

const blockBytes = 3;
const longestWindowBytes = 16;
/** Small enough to stay in the processor's cache, large enough that most blocks are in no pattern. */
const tableBits = 18;

function hash(first: number, second: number, third: number): number {
  return Math.imul(first | (second << 8) | (third << 16), 0x9e3779b1) >>> (32 - tableBits);
}

interface Tables {
  readonly window: number;
  readonly shift: Uint8Array;
  readonly endings: ReadonlyMap<number, readonly Pattern[]>;
}

/** `hashAt(bytes, i)` hashes the block that ends with byte i. */
function buildTables(
  patterns: readonly Pattern[],
  lead: number,
  hashAt: (bytes: Uint8Array, end: number) => number,
): Tables {
  const shortest = patterns.reduce((least, { bytes }) => Math.min(least, bytes.length), longestWindowBytes);
  const window = shortest;
  const furthest = window - lead - blockBytes + 1;
  const shift = new Uint8Array(2 ** tableBits).fill(Math.max(furthest, 1));
  const endings = new Map<number, Pattern[]>();
  for (const pattern of patterns) {
    const last = pattern.bytes.length - 1;
    for (let distance = 0; distance < furthest; distance += 1) {
      const block = hashAt(pattern.bytes, last - distance);
      shift[block] = Math.min(shift[block] ?? 0, distance);
    }
    const ending = hashAt(pattern.bytes, last);
    const known = endings.get(ending);
    if (known === undefined) endings.set(ending, [pattern]);
    else known.push(pattern);
  }
  return { window, shift, endings };
}

const caseBit = 0x20;

function foldedHashAt(bytes: Uint8Array, end: number): number {
  return hash((bytes[end - 2] ?? 0) | caseBit, (bytes[end - 1] ?? 0) | caseBit, (bytes[end] ?? 0) | caseBit);
}

const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | caseBit : byte));

function isSameButCase(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  for (let index = pattern.length - 1; index >= 0; index -= 1)
    if (lowerCase[bytes[start + index] ?? 0] !== lowerCase[pattern[index] ?? 0]) return false;
  return true;
}

export function isExact(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  return pattern.every((byte, index) => bytes[start + index] === byte);
}

function hasOneCase(bytes: Uint8Array, start: number, end: number): boolean {
  let hasLower = false;
  let hasUpper = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    hasLower ||= byte >= 0x61 && byte <= 0x7a;
    hasUpper ||= byte >= 0x41 && byte <= 0x5a;
  }
  return hasLower !== hasUpper;
}

function isMatch(bytes: Uint8Array, start: number, end: number, { letters, bytes: pattern }: Pattern): boolean {
  if (!isSameButCase(bytes, start, pattern)) return false;
  if (letters === 'free' || isExact(bytes, start, pattern)) return true;
  return letters === 'kept or lost' && hasOneCase(bytes, start, end);
}

/** Finds patterns as they are, whatever the case of their letters; the pattern's own rule decides what counts. */
export function createMatcher(patterns: readonly Pattern[]): Matcher {
  const { window, shift, endings } = buildTables(patterns, 0, foldedHashAt);
  return {
    scan: (bytes, from, found) => {
      if (patterns.length === 0) return;
      const total = bytes.length;
      let end = Math.max(from, window - 1);
      while (end < total) {
        const block = foldedHashAt(bytes, end);
        const step = shift[block] as number;
        if (step > 0) {
          end += step;
          continue;
        }
        for (const pattern of endings.get(block) ?? []) {
          const start = end + 1 - pattern.bytes.length;
          if (start >= 0 && isMatch(bytes, start, end + 1, pattern)) found(pattern, start, end + 1);
        }
        end += 1;
      }
    },
  };
}

function differenceHashAt(bytes: Uint8Array, end: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = [bytes[end - 3], bytes[end - 2], bytes[end - 1], bytes[end]];
  return hash(first ^ second, second ^ third, third ^ fourth);
}

/**
 * Finds patterns under a one-byte key: x ^ k and y ^ k differ in the same bits as x and y, so the differences between
 * neighbouring bytes are searched, and the key never has to be guessed. A key of 0 is the other matcher's business.
 */
export function createKeyedMatcher(patterns: readonly Pattern[]): Matcher {
  const { window, shift, endings } = buildTables(patterns, 1, differenceHashAt);
  const isMatch = (bytes: Uint8Array, start: number, pattern: Uint8Array): boolean => {
    const key = (bytes[start] ?? 0) ^ (pattern[0] ?? 0);
    return key !== 0 && pattern.every((byte, index) => ((bytes[start + index] ?? 0) ^ byte) === key);
  };
  return {
    scan: (bytes, from, found) => {
      if (patterns.length === 0) return;
      const total = bytes.length;
      let end = Math.max(from, window - 1);
      while (end < total) {
        const first = bytes[end - 2] as number;
        const second = bytes[end - 1] as number;
        const block = hash((bytes[end - 3] as number) ^ first, first ^ second, second ^ (bytes[end] as number));
        const step = shift[block] as number;
        if (step > 0) {
          end += step;
          continue;
        }
        for (const pattern of endings.get(block) ?? []) {
          const start = end + 1 - pattern.bytes.length;
          if (start >= 0 && isMatch(bytes, start, pattern.bytes)) found(pattern, start, end + 1);
        }
        end += 1;
      }
    },
  };
}
