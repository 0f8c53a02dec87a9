import { findPhrases, type Hit, type Phrases } from '../../../../targets/wording/phrases.ts';
import { sentencesOf } from '../../../../targets/wording/text-forms.ts';
import { parsePattern } from '../pattern/parse.ts';
import { type Clause, requiredBy, worth } from '../pattern/required.ts';
import { isUseful, isWide, longestWord, Vocabulary } from './vocabulary.ts';

/**
 * Finds phrases in long texts. Two hundred expressions over a megabyte take seconds; so first the rarest words are looked
 * for that each of them cannot do without, and an expression sees only the lines around them, and those only when its
 * other words stand there too.
 *
 *     text ─ rarest words in one pass ─ lines around them ─ all other words there? ─ the expression
 */

export interface FoundPhrases {
  readonly hits: readonly Hit[];
  /** There were more such places than are looked at. */
  readonly isCut: boolean;
}

/** What is shown to an expression on both sides of a block. No phrase is longer. */
const around = 500;
const blockLength = 1024;
const mostHits = 50;
/** Characters shown to expressions, over all of them, for one text. */
const mostShown = 8_000_000;

/** Where "user" is looked for, "users" need not be. */
function simplified(clause: Clause): Clause {
  const texts = [...new Set(clause.map((text) => text.toLowerCase().trim().replace(/\s+/g, ' ')))];
  const short = texts.toSorted((left, right) => left.length - right.length);
  return short.filter((text, at) => !short.slice(0, at).some((shorter) => text.includes(shorter)));
}

/** Says whether a text has all of several clauses in it. Phrases share most of theirs, so each is looked for once. */
function askAbout(text: string): (clauses: readonly Clause[]) => boolean {
  const known = new Map<Clause, boolean>();
  const has = (clause: Clause): boolean => {
    const before = known.get(clause);
    if (before !== undefined) return before;
    const isThere = clause.some((each) => text.includes(each));
    known.set(clause, isThere);
    return isThere;
  };
  return (clauses) => clauses.every(has);
}

/** Equal clauses become one, so that they can be known by what they are. */
class Shared {
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

/** Blanks and quotes are not the same before and behind `sentencesOf`; a single word is. */
function wordsOf(clauses: readonly Clause[]): readonly Clause[] {
  return clauses
    .map((clause) => simplified(clause.map(longestWord)))
    .filter((clause) => !clause.includes(''))
    .toSorted((left, right) => worth(right) - worth(left));
}

export class PhraseScreen {
  readonly #phrases: Phrases;
  readonly #vocabulary = new Vocabulary();
  /** By phrase: what else must be there. Null where nothing could be learnt. */
  readonly #clausesOf: (readonly Clause[] | null)[] = [];
  /** The same in single words. */
  readonly #wordsOf: (readonly Clause[])[] = [];

  constructor(phrases: Phrases) {
    this.#phrases = phrases;
    const shared = new Shared();
    for (const [index, { match }] of phrases.patterns.entries()) {
      const clauses = this.#learn(index, match.source);
      this.#clausesOf.push(clauses === null ? null : shared.of(clauses));
      this.#wordsOf.push(shared.of(wordsOf(clauses ?? [])));
    }
  }

  /** Phrases that no word could be found for: they would be looked for nowhere. */
  get unscreened(): readonly string[] {
    return this.#phrases.patterns.flatMap(({ match }, at) => (this.#clausesOf[at] === null ? [match.source] : []));
  }

  get words(): readonly string[] {
    return this.#vocabulary.words;
  }

  find(given: string, isWideText = isWide(given)): FoundPhrases {
    const text = isWideText ? given.toLowerCase() : given;
    const hits: Hit[] = [];
    let shown = 0;
    for (const [block, indexes] of this.#places(text, isWideText)) {
      const start = Math.max(0, block * blockLength - around);
      const lines = text.slice(start, (block + 1) * blockLength + around).toLowerCase();
      const hasWords = askAbout(lines);
      const likely = [...indexes].filter((index) => hasWords(this.#wordsOf[index] ?? []));
      if (likely.length === 0) continue;
      const sentences = sentencesOf(lines);
      const hasTexts = askAbout(sentences);
      const patterns = likely.flatMap((index) =>
        hasTexts(this.#clausesOf[index] ?? []) ? (this.#phrases.patterns[index] ?? []) : [],
      );
      if (patterns.length === 0) continue;
      shown += sentences.length * patterns.length;
      if (shown > mostShown) return { hits, isCut: true };
      hits.push(...findPhrases(sentences, { patterns, mention: this.#phrases.mention }));
      if (hits.length >= mostHits) break;
    }
    return { hits, isCut: false };
  }

  /** By block of the text, the phrases whose rarest words stand there. */
  #places(text: string, isWideText: boolean): ReadonlyMap<number, ReadonlySet<number>> {
    const blocks = new Map<number, Set<number>>();
    this.#vocabulary.find(text, isWideText, (phrases, at) => {
      const block = Math.floor(at / blockLength);
      let known = blocks.get(block);
      if (known === undefined) {
        known = new Set();
        blocks.set(block, known);
      }
      for (const phrase of phrases) known.add(phrase);
    });
    return blocks;
  }

  #learn(phrase: number, source: string): readonly Clause[] | null {
    const node = parsePattern(source);
    const clauses = node === null ? [] : requiredBy(node).clauses.map(simplified);
    const rarest = clauses
      .filter((clause) => clause.every(isUseful))
      .reduce<Clause | null>((left, right) => (left === null || worth(right) > worth(left) ? right : left), null);
    if (rarest === null) return null;
    for (const text of rarest) this.#vocabulary.add(text, phrase);
    return clauses.filter((clause) => clause !== rarest && !clause.includes(''));
  }
}
