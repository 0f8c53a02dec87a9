import type { PatternNode } from './parse.ts';

/**
 * Which texts a match must have in it, so that most text is never shown to the expression at all.
 *
 *     (?:never|do not) (?:tell|mention) .* user   ->   [never, do not] and [tell, mention] and [user]
 *
 * (Spaces are cut off where lists would grow too long.)
 */

/** One of them must be there. */
export type Clause = readonly string[];

interface Knowledge {
  /** All texts that fit, where they are few. */
  readonly exact: readonly string[] | null;
  /** What else must be there, each of them. */
  readonly clauses: readonly Clause[];
  readonly shortest: number;
  /** Where not all texts are known: how each of them begins. */
  readonly starts?: readonly string[];
}

const mostExact = 64;
const longestExact = 40;
const unknown: Knowledge = { exact: null, clauses: [], shortest: 0 };
const empty: Knowledge = { exact: [''], clauses: [], shortest: 0 };

function clauseOf(exact: readonly string[]): readonly Clause[] {
  return exact.every((text) => text !== '') ? [exact] : [];
}

function isSmall(texts: readonly string[]): boolean {
  return texts.length <= mostExact && texts.every((text) => text.length <= longestExact);
}

function joinParts(parts: readonly Knowledge[]): Knowledge {
  const clauses: Clause[] = [];
  const shortest = parts.reduce((sum, part) => sum + part.shortest, 0);
  let run: readonly string[] = [''];
  let isExact = true;
  for (const part of parts) {
    const { exact } = part;
    const isFew = exact !== null && run.length * exact.length <= mostExact;
    const crossed = isFew ? run.flatMap((left) => exact.map((right) => left + right)) : null;
    if (crossed !== null && isSmall(crossed)) {
      run = crossed;
      continue;
    }
    isExact = false;
    const { starts } = part;
    const begun = starts !== undefined && run.length * starts.length <= mostExact;
    const before = begun ? run.flatMap((left) => starts.map((right) => left + right)) : run;
    clauses.push(...clauseOf(before), ...part.clauses);
    run = exact ?? [''];
  }
  if (isExact) return { exact: run, clauses: [], shortest };
  return { exact: null, clauses: [...clauses, ...clauseOf(run)], shortest };
}

/** Long texts are rare, and few are looked for faster than many. */
export function worth(clause: Clause): number {
  const least = clause.reduce((shortest, text) => Math.min(shortest, text.trim().length), 16);
  return least * 4 - Math.log2(clause.length);
}

function best(clauses: readonly Clause[]): Clause | null {
  return clauses.reduce<Clause | null>(
    (left, right) => (left === null || worth(right) > worth(left) ? right : left),
    null,
  );
}

function joinOptions(options: readonly Knowledge[]): Knowledge {
  const shortest = Math.min(...options.map((option) => option.shortest));
  const exact = options.flatMap((option) => option.exact ?? []);
  if (options.every((option) => option.exact !== null) && isSmall(exact)) return { exact, clauses: [], shortest };
  const each = options.map((option) => best(option.exact === null ? option.clauses : clauseOf(option.exact)));
  const all = each.flatMap((clause) => clause ?? []);
  return { exact: null, clauses: each.includes(null) ? [] : [all], shortest };
}

function know(node: PatternNode): Knowledge {
  if (node.kind === 'set') return { exact: node.options, clauses: [], shortest: 1 };
  if (node.kind === 'sequence') return joinParts(node.parts.map(know));
  if (node.kind === 'choice') return joinOptions(node.options.map(know));
  if (node.kind !== 'repeat') return empty;
  const part = know(node.part);
  if (node.least === 0) {
    if (node.most === 1 && part.exact !== null) return { exact: ['', ...part.exact], clauses: [], shortest: 0 };
    return unknown;
  }
  if (node.least === 1 && node.most === 1) return part;
  const clauses = part.exact === null ? part.clauses : clauseOf(part.exact);
  const starts = part.exact === null ? {} : { starts: part.exact };
  return { exact: null, clauses, shortest: part.shortest * node.least, ...starts };
}

export interface Required {
  readonly clauses: readonly Clause[];
  /** No match has fewer characters. */
  readonly shortest: number;
}

export function requiredBy(node: PatternNode): Required {
  const { exact, clauses, shortest } = know(node);
  return { clauses: exact === null ? clauses : clauseOf(exact), shortest };
}
