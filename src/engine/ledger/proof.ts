import { Frontier, hashNode } from './tree.ts';

/** Proofs of RFC 6962, section 2.1, as pure functions over hashes, and their verification as RFC 9162 writes it down. */

/** Leaves `from` to before `to`, of which the root of their own tree is wanted. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** The largest power of two that is smaller than `size`. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Which ranges the audit path of one leaf is made of, leaf end first. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  const ranges: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (index < middle) {
      ranges.unshift({ from: middle, to });
      to = middle;
    } else {
      ranges.unshift({ from, to: middle });
      from = middle;
    }
  }
  return ranges;
}

export function consistencyRanges(oldSize: number, newSize: number): readonly LeafRange[] {
  if (oldSize === 0 || oldSize === newSize) return [];
  const ranges: LeafRange[] = [];
  let [from, to, isWhole] = [0, newSize, true];
  while (to !== oldSize) {
    const middle = from + splitOf(to - from);
    if (oldSize <= middle) {
      ranges.unshift({ from: middle, to });
      to = middle;
    } else {
      ranges.unshift({ from, to: middle });
      from = middle;
      isWhole = false;
    }
  }
  if (!isWhole) ranges.unshift({ from, to });
  return ranges;
}

/** Roots of ranges that do not overlap, in one pass over the leaves and with little memory. */
export class RangeRoots {
  readonly #frontiers: readonly Frontier[];
  readonly #byStart: readonly { readonly range: LeafRange; readonly frontier: Frontier }[];
  #at = 0;

  constructor(ranges: readonly LeafRange[]) {
    const pairs = ranges.map((range) => ({ range, frontier: new Frontier() }));
    this.#frontiers = pairs.map(({ frontier }) => frontier);
    this.#byStart = pairs.toSorted((left, right) => left.range.from - right.range.from);
  }

  /** Leaves come in order, each once. */
  take(index: number, leaf: string): void {
    let current = this.#byStart[this.#at];
    if (current !== undefined && index >= current.range.to) {
      this.#at += 1;
      current = this.#byStart[this.#at];
    }
    if (current !== undefined && index >= current.range.from) current.frontier.push(leaf);
  }

  roots(): readonly string[] {
    return this.#frontiers.map((frontier) => frontier.root());
  }
}

/** The root that this path leads to; null when its length does not fit. */
export function rootOfInclusion(index: number, size: number, leaf: string, path: readonly string[]): string | null {
  if (!(index >= 0 && index < size)) return null;
  let [at, last, root] = [index, size - 1, leaf];
  for (const item of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      root = hashNode(item, root);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      root = hashNode(root, item);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}

export interface TreeHead {
  readonly size: number;
  readonly root: string;
}

function isPowerOfTwo(size: number): boolean {
  return splitOf(size * 2) === size;
}

export function isConsistent(older: TreeHead, newer: TreeHead, path: readonly string[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && older.root === newer.root;
  if (older.size === 0) return path.length === 0;
  const nodes = isPowerOfTwo(older.size) ? [older.root, ...path] : [...path];
  const first = nodes.shift();
  if (first === undefined) return false;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  let [oldRoot, newRoot] = [first, first];
  for (const node of nodes) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [oldRoot, newRoot] = [hashNode(node, oldRoot), hashNode(node, newRoot)];
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      newRoot = hashNode(newRoot, node);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && oldRoot === older.root && newRoot === newer.root;
}
