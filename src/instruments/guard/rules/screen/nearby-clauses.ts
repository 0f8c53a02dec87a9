import type { Clause } from '../pattern/required.ts';
import { LiteralFinder } from './literal-finder.ts';
import { around, together } from './sentence-around.ts';
import { type Spread, spreadOf, stands } from './spread.ts';

/**
 * One pass over bytes that says where all that an expression cannot do without stands close together.
 *
 *     …… never …… tell …………… user ……
 *        1 seen    2 seen      3 rarest: remembered, and looked back and forth from it
 *
 * For each list of texts the place is kept where one of them was last seen. A rarest one waits until everything that is
 * close behind it has been passed; then it is known whether the others were seen close by.
 */

export interface Demand {
  /** The rarest of its clauses. */
  readonly rarest: Clause;
  readonly others: readonly Clause[];
  /** Single signs, such as the one in the middle of an address. */
  readonly signs: readonly number[];
}

interface Text extends Spread {
  readonly clauses: number[];
}

interface NumberedDemand {
  readonly demand: number;
  readonly others: readonly number[];
  readonly signs: readonly number[];
}

const long = 2 ** 30;

export class NearbyClauses {
  readonly #finder: LiteralFinder;
  /** By word: the texts that are found by it. */
  readonly #texts: readonly (readonly Text[])[];
  readonly #count: number;
  /** By clause: the demands that it is the rarest of, and what else each of them has. */
  readonly #demands: (readonly NumberedDemand[] | undefined)[];

  constructor(demands: readonly Demand[]) {
    const ids = new Map<string, number>();
    const clauses: Clause[] = [];
    const idOf = (clause: Clause): number => {
      const key = clause.join('\n');
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, clauses.length);
      return clauses.push(clause) - 1;
    };
    const numbered = demands.map(({ rarest, others, signs }, demand) => ({
      demand,
      signs,
      rarest: idOf(rarest),
      others: others.map(idOf),
    }));
    this.#count = clauses.length;
    this.#demands = [];
    for (const each of numbered) this.#demands[each.rarest] = [...(this.#demands[each.rarest] ?? []), each];
    const texts = new Map<string, Text>();
    for (const [clause, options] of clauses.entries())
      for (const option of options) {
        const text = texts.get(option) ?? { ...spreadOf(option), clauses: [] };
        texts.set(option, text);
        text.clauses.push(clause);
      }
    const byWord = Map.groupBy(texts.values(), ({ word }) => word);
    this.#finder = new LiteralFinder([...byWord.keys()], 4);
    this.#texts = [...byWord.values()];
  }

  /** `found` is told the index of a demand and a place where its rarest stands. */
  find(bytes: Buffer, found: (demand: number, at: number) => void, slack = 0): void {
    const reach = around + together + slack;
    const seen = new Int32Array(this.#count).fill(-long);
    const waited = new Int32Array(this.#count).fill(-long);
    const waiting: { readonly clause: number; readonly at: number }[] = [];
    let next = 0;
    const nextSigns = new Map<number, number>();
    const hasSign = (sign: number, from: number, to: number): boolean => {
      let at = nextSigns.get(sign) ?? -1;
      if (at < from) {
        const found = bytes.indexOf(sign, Math.max(0, from));
        at = found === -1 ? long : found;
        nextSigns.set(sign, at);
      }
      return at <= to;
    };
    const settle = (until: number): void => {
      for (let head = waiting[next]; head !== undefined && head.at + reach < until; head = waiting[next]) {
        const least = head.at - reach;
        for (const { demand, others, signs } of this.#demands[head.clause] ?? []) {
          let isThere = true;
          for (const other of others) isThere &&= (seen[other] as number) >= least;
          for (const sign of signs) isThere &&= hasSign(sign, least, head.at + reach);
          if (isThere) found(demand, head.at);
        }
        next += 1;
      }
    };
    this.#finder.scan(bytes, (word, at) => {
      settle(at);
      for (const text of this.#texts[word] ?? []) {
        if (!stands(bytes, at, text)) continue;
        for (const clause of text.clauses) {
          seen[clause] = at;
          if (this.#demands[clause] === undefined || at - (waited[clause] as number) < together) continue;
          waited[clause] = at;
          waiting.push({ clause, at });
        }
      }
    });
    settle(long);
  }
}
