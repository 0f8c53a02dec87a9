import { type Deed, type DeedGroup, deedGroups } from './deed.ts';

/** What one process did, counted. Of the names only the first few are kept: a storm of them must not fill the memory. */

const mostNames = 64;

export interface DeedCount {
  readonly group: DeedGroup;
  readonly count: number;
  /** How often each, in the order of their first time. */
  readonly names: ReadonlyMap<string, number>;
  /** Deeds whose name was not kept. */
  readonly unnamed: number;
}

interface Mutable {
  count: number;
  unnamed: number;
  readonly names: Map<string, number>;
}

/** Shared by all processes of a tree. */
export interface NameBudget {
  characters: number;
}

export class Deeds {
  readonly #groups = new Map<DeedGroup, Mutable>();
  readonly #budget: NameBudget;

  constructor(budget: NameBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add({ group, name }: Deed): void {
    const known = this.#groups.get(group) ?? { count: 0, unnamed: 0, names: new Map<string, number>() };
    this.#groups.set(group, known);
    known.count += 1;
    if (name === null) return;
    const before = known.names.get(name);
    if (before === undefined && (known.names.size >= mostNames || this.#budget.characters < name.length)) {
      known.unnamed += 1;
      return;
    }
    if (before === undefined) this.#budget.characters -= name.length;
    known.names.set(name, (before ?? 0) + 1);
  }

  list(): readonly DeedCount[] {
    return deedGroups.flatMap((group) => {
      const known = this.#groups.get(group);
      return known === undefined ? [] : [{ group, ...known }];
    });
  }
}
