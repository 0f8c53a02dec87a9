import { findPhrases, type Hit, type Phrases } from '../../../../targets/wording/phrases.ts';
import { sentencesOf } from '../../../../targets/wording/text-forms.ts';
import type { Clause } from '../pattern/required.ts';
import { NearbyClauses } from './nearby-clauses.ts';
import { type PhrasePlan, planPhrases, type Screened } from './phrase-plan.ts';
import { around, type Span, sentenceAround, textOf, together, wholeAround } from './sentence-around.ts';
import { isWide, Vocabulary } from './vocabulary.ts';

/**
 * Finds phrases in long texts. Two hundred expressions over a megabyte take seconds; so first the rarest words are looked
 * for that each of them cannot do without, and an expression sees only the sentence around them, and that only when its
 * other words stand there too.
 *
 *     text ─ rarest words close together, in one pass ─ sentence around them ─ all other words there? ─ the expression
 */

export interface FoundPhrases {
  readonly hits: readonly Hit[];
  /** There were more such places than are looked at. */
  readonly isCut: boolean;
}

const mostHits = 50;
/** Characters shown to expressions, over all of them, for one text. */
const mostShown = 8_000_000;

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

/** A part of the text that is shown, and what is known about it. */
class Shown {
  readonly span: Span;
  readonly #text: string;
  /** Phrases that were looked for in it. */
  readonly phrases = new Set<number>();
  readonly hasWords: (clauses: readonly Clause[]) => boolean;
  #sentences: string | null = null;
  #hasTexts: ((clauses: readonly Clause[]) => boolean) | null = null;

  constructor(text: string, span: Span) {
    this.span = span;
    this.#text = textOf(text, span);
    this.hasWords = askAbout(this.#text.toLowerCase());
  }

  get sentences(): string {
    this.#sentences ??= sentencesOf(this.#text);
    return this.#sentences;
  }

  hasTexts(clauses: readonly Clause[]): boolean {
    this.#hasTexts ??= askAbout(this.sentences);
    return this.#hasTexts(clauses);
  }
}

export class PhraseScreen {
  readonly #phrases: Phrases;
  readonly #screened: readonly Screened[];
  readonly #unscreened: readonly string[];
  /** Those in letters of ASCII, and which phrase each is of. */
  readonly #nearby: NearbyClauses;
  readonly #nearbyOf: readonly number[];
  /** Those that only other letters tell. */
  readonly #wide = new Vocabulary();
  readonly #wideLetters: RegExp;

  constructor(phrases: Phrases, plan: PhrasePlan = planPhrases(phrases)) {
    this.#phrases = phrases;
    this.#screened = plan.screened;
    this.#unscreened = plan.unscreened;
    this.#nearbyOf = plan.nearbyOf;
    for (const { text, phrase } of plan.wide) this.#wide.add(text, phrase);
    this.#nearby = new NearbyClauses(plan.demands);
    const letters = new Set(this.#wide.words.join('').replace(/[\0-\x7f]/g, ''));
    this.#wideLetters = letters.size === 0 ? /(?!)/ : new RegExp(`[${[...letters].join('')}]`, 'i');
  }

  /** Phrases that no word could be found for: they would be looked for nowhere. */
  get unscreened(): readonly string[] {
    return this.#unscreened;
  }

  find(text: string, isWideText = isWide(text)): FoundPhrases {
    const places: (readonly [number, number])[] = [];
    this.#nearby.find(Buffer.from(text, 'latin1'), (demand, at) => {
      places.push([at, this.#nearbyOf[demand] as number]);
    });
    if (isWideText && this.#wideLetters.test(text))
      this.#wide.find(text.toLowerCase(), true, (phrases, at) => {
        for (const phrase of phrases) places.push([at, phrase]);
      });
    const hits: Hit[] = [];
    let shown = 0;
    const known: { sentence: Shown | null; whole: Shown | null } = { sentence: null, whole: null };
    for (const [at, index] of places) {
      const screened = this.#screened[index];
      if (screened === undefined) continue;
      const way = screened.isCrossing ? 'whole' : 'sentence';
      const part = shownAt(text, at, known[way], screened.isCrossing);
      known[way] = part;
      if (part.phrases.has(index)) continue;
      part.phrases.add(index);
      if (!part.hasWords(screened.words) || !part.hasTexts(screened.clauses)) continue;
      shown += part.sentences.length;
      if (shown > mostShown) return { hits, isCut: true };
      const pattern = this.#phrases.patterns[index];
      if (pattern === undefined) continue;
      hits.push(...findPhrases(part.sentences, { patterns: [pattern], mention: this.#phrases.mention }));
      if (hits.length >= mostHits) break;
    }
    return { hits, isCut: false };
  }
}

/** Whether a part has everything around a place in it that an expression may need. */
function hasAll({ start, end, isBeginning, isEnding }: Span, at: number, length: number): boolean {
  const last = at + together;
  const hasLast = isEnding ? last < end || end === length : end - last >= around;
  return start <= at && at < end && (isBeginning || at - start >= around) && hasLast;
}

/** The part that was shown last, where it serves this place as well. */
function shownAt(text: string, at: number, last: Shown | null, isWhole: boolean): Shown {
  if (last !== null && hasAll(last.span, at, text.length)) return last;
  return new Shown(text, isWhole ? wholeAround(text, at) : sentenceAround(text, at));
}
