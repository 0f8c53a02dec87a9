import type { Clause } from '../pattern/required.ts';
import { wordsIn } from './vocabulary.ts';

/** How often a text is seen in ordinary prose and code, so that expressions are looked for by the rarest they need. */

/** Per megabyte, also inside of longer words; counted in documentation, licences and source. */
const counted: readonly (readonly [number, string])[] = [
  [3000, 'and the'],
  [1400, 'all are contain end file for her his not read that this use with'],
  [
    700,
    'any but can copy dis don ever files from get its lis name old one only our out return run serve server text tool type what work you',
  ],
  [
    350,
    'act add call cat command conte data even export found function has here key lea let lie limit list log new node now open option other policy put see set she value without write',
  ],
  [
    180,
    'address answer api argument ask author before body cache change claim content context describe dire does each env environment every fetch field find finding first follow give hand handle have header include including know limits link load look make may message model names need note nothing notice null object off output pas pass place point pon print provide provided report request result sag sage say says second show sign system take then there token tools types under user was when will word your',
  ],
  [
    90,
    'about above action agent also asked blob calle calls cann cannot case collect complete cover debug decode description detail details encode everything following given hold into keep kept keys last limited listen mail memory mission modify must never nor original permission record refer refuse remove require response rule secret seen sent session shall share sole specif store takes tell them they through trace unknown values vendor void wish wishes words would written',
  ],
  [
    50,
    'accept access actions arguments asks been behaviour bundle catch comes copie copies could current did enter fact full gets hint ignore inside instead instruction label leak left metadata neede needed nie none order owner parameter password perform person prior property reason receive reference rules send servers shield should ssh stay stays step subject systems tag their these those told want were whole',
  ],
];
const known: ReadonlyMap<string, number> = new Map(
  counted.flatMap(([count, words]) => words.split(' ').map((word) => [word, count] as const)),
);
/** Of a word that is not counted, by its length. */
const guessed: readonly number[] = [3000, 3000, 3000, 60, 25, 12];
const rare = 6;
/** Of several words, all have to stand there. */
const shareOfSeveral = 0.15;

function ofWord(word: string): number {
  return known.get(word) ?? guessed[word.length] ?? rare;
}

/** The word that a text is best looked for by. */
export function rarestWord(text: string): string {
  const words = wordsIn(text).filter((word) => word.length >= 3);
  return words.reduce((best, word) => (best === '' || ofWord(word) < ofWord(best) ? word : best), '');
}

interface Weighed {
  readonly clause: Clause;
  /** How often one of its words has to be looked at, and how often one of its texts is there, per megabyte. */
  readonly looks: number;
  readonly finds: number;
}

function weigh(clause: Clause): Weighed {
  const byWord = new Map<string, number>();
  for (const text of clause) {
    const word = rarestWord(text);
    const share = word.length === text.trim().length ? 1 : shareOfSeveral;
    byWord.set(word, Math.max(share, byWord.get(word) ?? 0));
  }
  const words = [...byWord];
  return {
    clause,
    looks: words.reduce((sum, [word]) => sum + ofWord(word), 0),
    finds: words.reduce((sum, [word, share]) => sum + ofWord(word) * share, 0),
  };
}

/** The shortest first: where it is missing, the longer ones need not be looked for. */
export function byLength(clauses: readonly Clause[]): readonly Clause[] {
  return clauses.toSorted((left, right) => left.length - right.length);
}

/** How far around a place others count as close, in megabytes. */
const close = 0.0014;
/** Places per megabyte that may be looked at for one expression. */
const few = 30;
const mostLooks = 900;

/** The rarest, and as many others as make it rare that all of them are close together. */
export function chosenOf(clauses: readonly Clause[]): readonly Clause[] {
  const sorted = clauses.map(weigh).toSorted((left, right) => left.looks - right.looks);
  const chosen: Clause[] = [];
  let expected = Number.POSITIVE_INFINITY;
  for (const { clause, looks, finds } of sorted) {
    if (expected <= few || (chosen.length > 0 && (looks > mostLooks || finds * close >= 0.7))) break;
    expected = chosen.length === 0 ? finds : expected * finds * close;
    chosen.push(clause);
  }
  return chosen;
}
