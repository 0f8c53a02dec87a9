import type { Phrases } from '../../../../targets/wording/phrases.ts';
import { parsePattern } from '../pattern/parse.ts';
import { type Clause, requiredBy, worth } from '../pattern/required.ts';
import { byLength, chosenOf } from './frequency.ts';
import type { Demand } from './nearby-clauses.ts';
import { isUseful, isWide, longestWord } from './vocabulary.ts';

/** What each expression cannot do without, and what of that is looked for first. */

/** Where "user" is looked for, "users" need not be. */
function simplified(clause: Clause): Clause {
  const texts = [...new Set(clause.map((text) => text.toLowerCase()))];
  const short = texts.toSorted((left, right) => left.length - right.length);
  return short.filter((text, at) => !short.slice(0, at).some((shorter) => text.includes(shorter)));
}

/** In letters of ASCII, or null when one of its texts has no such word. */
function plainOf(clause: Clause): Clause | null {
  const texts = clause.map((text) => (isWide(text) ? longestWord(text) : text));
  return texts.every((text) => !isWide(text) && isUseful(text)) ? simplified(texts) : null;
}

/** A sign that stands for itself alone and is rare in texts. */
function signsOf(clauses: readonly Clause[]): readonly number[] {
  return clauses.flatMap(([sign = '', ...others]) =>
    others.length === 0 && /^[@|<>$%~]$/.test(sign) ? sign.charCodeAt(0) : [],
  );
}

/** Blanks and quotes are not the same before and behind `sentencesOf`; a single word is. */
function wordsOf(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.map((clause) => simplified(clause.map(longestWord))).filter((clause) => !clause.includes(''));
}

/** Equal clauses become one, so that they can be known by what they are. */
class SharedClauses {
  readonly #clauses = new Map<string, Clause>();

  of(clauses: readonly Clause[]): readonly Clause[] {
    return clauses.map((clause) => {
      const key = clause.join('\n');
      const known = this.#clauses.get(key) ?? clause;
      this.#clauses.set(key, known);
      return known;
    });
  }
}

/** Whether it reads on behind the end of a line, which is the end of a sentence. A line's end at its own ends does not count. */
function isCrossing(source: string): boolean {
  const inside = source.replace(/\[\^\\n[^\]]*\]|\(\?:\^\|\\n|\[\\n|\$\|\\n|\(\?=\[\\s/g, '');
  return /\\[nsWD]|\[\^/.test(inside);
}

export interface Screened {
  /** Everything that must be there. */
  readonly clauses: readonly Clause[];
  /** The same in single words. */
  readonly words: readonly Clause[];
  readonly isCrossing: boolean;
}

export interface PhrasePlan {
  readonly screened: readonly Screened[];
  /** Sources of phrases that no word could be found for: they would be looked for nowhere. */
  readonly unscreened: readonly string[];
  /** Those in letters of ASCII, and which phrase each is of. */
  readonly demands: readonly Demand[];
  readonly nearbyOf: readonly number[];
  /** Those that only other letters tell. */
  readonly wide: readonly { readonly text: string; readonly phrase: number }[];
}

export function planPhrases({ patterns }: Phrases): PhrasePlan {
  const shared = new SharedClauses();
  const [screened, unscreened]: [Screened[], string[]] = [[], []];
  const [demands, nearbyOf]: [Demand[], number[]] = [[], []];
  const wide: { readonly text: string; readonly phrase: number }[] = [];
  for (const [phrase, { match }] of patterns.entries()) {
    const node = parsePattern(match.source);
    const clauses = shared.of(node === null ? [] : requiredBy(node).clauses.map(simplified));
    const [rarest, ...others] = chosenOf(
      shared.of(clauses.flatMap((clause) => [plainOf(clause) ?? []].filter(({ length }) => length > 0))),
    );
    const needed = clauses.filter((clause) => !clause.includes(''));
    screened.push({
      clauses: byLength(needed),
      words: byLength(shared.of(wordsOf(needed))),
      isCrossing: isCrossing(match.source),
    });
    if (rarest !== undefined) {
      demands.push({ rarest, others, signs: signsOf(clauses) });
      nearbyOf.push(phrase);
      continue;
    }
    const useful = clauses
      .filter((clause) => clause.every(isUseful))
      .map((clause) => clause.map((text) => text.trim()));
    const [widest] = useful.toSorted((left, right) => worth(right) - worth(left));
    if (widest === undefined) unscreened.push(match.source);
    for (const text of widest ?? []) if (isWide(text)) wide.push({ text, phrase });
    const plain = (widest ?? []).filter((text) => !isWide(text));
    if (plain.length === 0) continue;
    demands.push({ rarest: plain, others: [], signs: [] });
    nearbyOf.push(phrase);
  }
  return { screened, unscreened, demands, nearbyOf, wide };
}
