/**
 * Text that is compared must not look like something it is not. Everything textual is brought to one form before a
 * comparison, and what changed on the way is told, so that nobody accepts a rule that reads differently than it acts.
 */

export interface TextChange {
  /** Position in the given text, in UTF-16 units. */
  readonly index: number;
  /** Code points such as `U+200B`. */
  readonly characters: string;
  readonly change: 'removed' | 'replaced' | 'composed';
  /** What stands there now; absent when it was removed. */
  readonly by?: string;
}

export interface NormalisedText {
  readonly text: string;
  readonly changes: readonly TextChange[];
}

/**
 * Zero-width characters, bidi controls, tag characters, variation selectors, soft hyphen, combining grapheme joiner,
 * Mongolian separators, Hangul fillers, Braille blank, private use, lone surrogates, controls (but tab and new line).
 */
const unseen =
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff0-\ufff8]|(?![\t\n\r])\p{Cc}/u;
const unseenAll = new RegExp(unseen.source, 'gu');
const plain = /^[\t\n\r -~]*$/;

export function codePoints(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }).join(' ');
}

/** Removing a character can bring two others together, so one pass is not always enough. */
function settle(text: string): string {
  let before = text;
  for (let pass = 0; pass < 8; pass += 1) {
    const after = before.normalize('NFKC').replace(unseenAll, '');
    if (after === before) break;
    before = after;
  }
  return before;
}

function changesOf(given: string, settled: string): TextChange[] {
  const changes: TextChange[] = [];
  let index = 0;
  let rebuilt = '';
  for (const character of given) {
    const by = settle(character);
    const characters = codePoints(character);
    if (by === '') changes.push({ index, characters, change: 'removed' });
    else if (by !== character) changes.push({ index, characters, change: 'replaced', by });
    rebuilt += by;
    index += character.length;
  }
  if (rebuilt !== settled) changes.push({ index: 0, characters: codePoints(rebuilt), change: 'composed', by: settled });
  return changes;
}

export function normaliseText(text: string): NormalisedText {
  if (plain.test(text)) return { text, changes: [] };
  const settled = settle(text);
  return { text: settled, changes: settled === text ? [] : changesOf(text, settled) };
}

/** One line for people: `U+200B removed, U+FF41 became "a"`. */
export function describeChanges(changes: readonly TextChange[], most = 5): string {
  const told = changes
    .slice(0, most)
    .map(({ characters, change, by }) =>
      change === 'removed' ? `${characters} removed` : `${characters} became ${JSON.stringify(by)}`,
    );
  const rest = changes.length - told.length;
  return rest > 0 ? `${told.join(', ')} and ${rest} more` : told.join(', ');
}

const scripts = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Cherokee', 'Coptic', 'Hebrew', 'Arabic', 'Devanagari'],
  ...[
    'Bengali',
    'Thai',
    'Lao',
    'Khmer',
    'Myanmar',
    'Tamil',
    'Ethiopic',
    'Han',
    'Hiragana',
    'Katakana',
    'Hangul',
    'Lisu',
  ],
].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** Scripts that ordinary writing does mix. */
const ordinaryMixes = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
];

/** Letters of other scripts that look like a small Latin one in most fonts. */
const latinLookAlikes = new RegExp(
  [
    '^[',
    // Cyrillic: a l c d e h i j k o p q s t v w x y
    '\\u0430\\u04cf\\u0441\\u0501\\u0435\\u04bb\\u0456\\u0458\\u043a\\u043e\\u0440\\u051b\\u0455\\u0442\\u0475\\u051d\\u0445\\u0443',
    // Greek: a i o p u v; Armenian: h n o u
    '\\u03b1\\u03b9\\u03bf\\u03c1\\u03c5\\u03bd\\u0570\\u0578\\u0585\\u057d',
    '\\d_-]+$',
  ].join(''),
  'u',
);

/** True when every letter of a word could be taken for a Latin one and none is. */
export function looksLatin(word: string): boolean {
  return /[^\d_-]/.test(word) && latinLookAlikes.test(word);
}

/** The scripts of one label or word when it mixes such that letters can be mistaken; empty when it does not. */
export function confusableScripts(word: string): readonly string[] {
  if (plain.test(word)) return [];
  const found = scripts.filter(({ pattern }) => pattern.test(word)).map(({ name }) => name);
  const isOrdinary = found.length < 2 || ordinaryMixes.some((mix) => found.every((name) => mix.includes(name)));
  return isOrdinary ? [] : found;
}
