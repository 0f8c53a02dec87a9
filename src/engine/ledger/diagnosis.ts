import type { Frontier } from './tree.ts';

/** Where a line is, for whoever looks for it. */
export interface Place {
  readonly sequence: number;
  readonly file: string;
  readonly offset: number;
}

export interface ReadPlace extends Place {
  readonly previous: string;
  readonly leaf: string;
}

export interface Suspicion {
  readonly place: Place;
  readonly upTo: number | null;
}

/**
 * An entry does not name the one before it. Either could be the one that was changed; a signed root that comes later tells
 * which: with the one leaf put back that the neighbour still names, the tree has that root again.
 */
export class ChainBreak {
  readonly #before: Place;
  readonly #at: ReadPlace;
  /** Tree in which the entry before is as this one names it. */
  #ifBefore: Frontier | null;
  /** Tree in which this entry is as the next one names it. */
  #ifAt: Frontier | null;
  #last: ReadPlace;
  readonly #isBeforeProven: boolean;
  /** Nobody names this entry as it is, so it was changed itself. */
  #isAtDisowned = false;

  /** `tree` has all entries before the two in question. */
  constructor(tree: Frontier, before: ReadPlace, at: ReadPlace, provenSize: number) {
    this.#before = before;
    this.#at = at;
    this.#last = at;
    this.#isBeforeProven = provenSize > before.sequence;
    this.#ifBefore = tree.copy();
    this.#ifBefore.push(at.previous);
    this.#ifAt = tree.copy();
    this.#ifAt.push(before.leaf);
  }

  get size(): number {
    return this.#last.sequence + 1;
  }

  /** The next entry; false when it is no help any more. */
  take(next: ReadPlace): boolean {
    const isNamed = next.previous === this.#last.leaf;
    if (this.#last === this.#at) {
      this.#isAtDisowned = !isNamed;
      this.#ifAt?.push(next.previous);
    } else this.#ifAt = isNamed ? pushed(this.#ifAt, this.#last.leaf) : null;
    this.#ifBefore = isNamed ? pushed(this.#ifBefore, this.#last.leaf) : null;
    this.#last = next;
    return this.#ifBefore !== null || this.#ifAt !== null;
  }

  /**
   * What a signed root over everything taken so far says; null when it says nothing. `keptLeaf` is the last leaf as it was
   * when the root was signed, where that is known.
   */
  judge(root: string, keptLeaf: string | null): Suspicion | null {
    const rootWith = (tree: Frontier | null): string | null =>
      pushed(tree?.copy() ?? null, this.#last.leaf)?.root() ?? null;
    if (rootWith(this.#ifBefore) === root) return { place: this.#before, upTo: null };
    // Right behind the break nothing but the kept leaf says what this entry was.
    const isLast = this.#last === this.#at;
    if (isLast && keptLeaf !== null && pushed(this.#ifAt?.copy() ?? null, keptLeaf)?.root() === root)
      return { place: this.#at, upTo: null };
    if (!isLast && rootWith(this.#ifAt) === root) return { place: this.#at, upTo: null };
    return null;
  }

  /** Without a root that helps: what the neighbours say. */
  guess(): Suspicion {
    if (this.#isBeforeProven || this.#isAtDisowned) return { place: this.#at, upTo: null };
    return { place: this.#before, upTo: this.#at.sequence };
  }
}

function pushed(tree: Frontier | null, leaf: string): Frontier | null {
  tree?.push(leaf);
  return tree;
}

/**
 * The chain holds and the signed root is another one: everything from some entry on was written anew, or only the last was
 * changed. The tree that was kept at the checkpoint, when its root is the signed one, says where it begins.
 */
export function firstDifference(
  found: Frontier,
  kept: Frontier,
  beforeLast: Frontier,
  keptLeaf: string,
): readonly [number, number] {
  const last = beforeLast.copy();
  last.push(keptLeaf);
  if (last.root() === kept.root()) return [found.size - 1, found.size - 1];
  let from = 0;
  const [ours, theirs] = [found.parts, kept.parts];
  let rest = found.size;
  for (const [index, part] of ours.entries()) {
    const width = 2 ** Math.floor(Math.log2(rest));
    if (part !== theirs[index]) return [from, from + width - 1];
    from += width;
    rest -= width;
  }
  return [0, found.size - 1];
}
