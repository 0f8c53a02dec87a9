import { LiteralFinder } from './literal-finder.ts';

/**
 * Texts of a few words that are looked for together. Each is found by its longest word, and then compared with what
 * stands around that word: a blank may be any number of them, and quotes are all alike.
 */

interface Entry {
  readonly text: string;
  /** Where its longest word begins. */
  readonly offset: number;
  readonly owners: number[];
}

const breaks = /[\s'"*_\u2018\u2019\u201a\u201c\u201d\u201e\u02bc`]+/;

export function wordsIn(text: string): readonly string[] {
  return text.split(breaks);
}

export function longestWord(text: string): string {
  return wordsIn(text).reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

export function isWide(text: string): boolean {
  return /[^\0-\x7f]/.test(text);
}

/** Whether it can be looked for at all. */
export function isUseful(text: string): boolean {
  const word = longestWord(text);
  return word.length >= (isWide(word) ? 2 : 3);
}

const blank = 0x20;
const apostrophe = 0x27;

function isBlank(code: number): boolean {
  return code === blank || (code >= 9 && code <= 13) || code === 0xa0;
}

/** Marks of emphasis are taken out of sentences, wherever they stand. */
function isEmphasis(code: number): boolean {
  return code === 0x2a || code === 0x5f;
}

function isAlike(code: number, wanted: number): boolean {
  if (code === wanted || (code >= 0x41 && code <= 0x5a && (code | 0x20) === wanted)) return true;
  return wanted === apostrophe && (code === 0x2018 || code === 0x2019 || code === 0x201a || code === 0x2bc);
}

/** Goes from `at` in steps of one or minus one, and compares with `wanted` from `from` to `to`. */
function follows(text: string, at: number, wanted: string, from: number, to: number, step: 1 | -1): boolean {
  let place = at;
  for (let index = from; index !== to; index += step) {
    const want = wanted.charCodeAt(index);
    while (isEmphasis(text.charCodeAt(place)) && !isEmphasis(want)) place += step;
    if (want === blank) {
      if (!isBlank(text.charCodeAt(place))) return false;
      while (isBlank(text.charCodeAt(place))) place += step;
    } else if (isAlike(text.charCodeAt(place), want)) place += step;
    else return false;
  }
  return true;
}

export class Vocabulary {
  readonly #entries = new Map<string, Entry>();
  #words: readonly (readonly Entry[])[] = [];
  #plain: LiteralFinder | null = null;
  #wide: LiteralFinder | null = null;
  #wideFrom = 0;

  add(text: string, owner: number): void {
    const entry = this.#entries.get(text) ?? { text, offset: text.indexOf(longestWord(text)), owners: [] };
    this.#entries.set(text, entry);
    if (!entry.owners.includes(owner)) entry.owners.push(owner);
  }

  /** One word of each, so that a text without any of them has nothing to find in it. */
  get words(): readonly string[] {
    return [...new Set([...this.#entries.keys()].map(longestWord))];
  }

  /** `found` is told whose text it is, and where it stands. Letters beyond ASCII have to be in lower case. */
  find(text: string, isWideText: boolean, found: (owners: readonly number[], at: number) => void): void {
    if (this.#plain === null) this.#prepare();
    const check = (first: number) => (index: number, at: number) => {
      for (const { text: wanted, offset, owners } of this.#words[first + index] ?? [])
        if (follows(text, at - 1, wanted, offset - 1, -1, -1) && follows(text, at, wanted, offset, wanted.length, 1))
          found(owners, at);
    };
    this.#plain?.find(text, check(0));
    if (isWideText) this.#wide?.find(text, check(this.#wideFrom));
  }

  #prepare(): void {
    const byWord = Map.groupBy(this.#entries.values(), ({ text }) => longestWord(text));
    const plain = [...byWord.keys()].filter((word) => !isWide(word));
    const wide = [...byWord.keys()].filter(isWide);
    this.#words = [...plain, ...wide].map((word) => byWord.get(word) ?? []);
    this.#wideFrom = plain.length;
    this.#plain = new LiteralFinder(plain, 4);
    this.#wide = new LiteralFinder(wide, 2);
  }
}
