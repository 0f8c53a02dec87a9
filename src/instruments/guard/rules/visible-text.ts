/** Text without what cannot be seen, but with everything that writing needs: emoji, joined letters, marks of direction. */

/** Sequences that have invisible characters in them and are right so. */
const rightful = [
  // Flags of England, Scotland and Wales are written with tag characters; no other text is.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\u20e3|[\\u{1f3fb}-\\u{1f3ff}]|\\u200d\\p{Extended_Pictographic})*',
  '[0-9#*]\\ufe0f?\\u20e3',
  // One variant per character of Han or Mongolian, and joiners where letters join.
  '(?<=[\\p{Script=Han}\\p{Script=Mongolian}\\p{Script=Myanmar}\\p{Script=Phags_Pa}])[\\ufe00-\\ufe0f\\u180b-\\u180e\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Sinhala}\\p{Script=Malayalam}\\p{Script=Khmer}\\p{Script=Mongolian}\\p{Script=Syriac}])[\\u200c\\u200d]',
  '[\\u0600-\\u0605\\u06dd\\u070f\\u08e2]',
  '^\\ufeff',
  '\\u00ad',
].join('|');
/** As in base/normalise.ts, without controls, which are another rule's, and without the symbols that fonts put into private use. */
const unseen =
  '[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\ufff0-\\ufff8\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}]';
const either = new RegExp(`(${rightful})|${unseen}`, 'gu');
const anyUnseen = new RegExp(unseen, 'u');

const leftward = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const directionMark = /^[\u200e\u200f\u061c]$/;

export interface VisibleText {
  readonly text: string;
  /** How many characters were taken out. */
  readonly removed: number;
  /** Some of them, such as `U+200B`. */
  readonly kinds: readonly string[];
}

const mostKinds = 5;

export function visibleText(given: string): VisibleText {
  if (!anyUnseen.test(given)) return { text: given, removed: 0, kinds: [] };
  const isLeftward = leftward.test(given);
  const kinds = new Set<string>();
  let removed = 0;
  const text = given.replace(either, (found, isRightful: string | undefined) => {
    if (isRightful !== undefined || (isLeftward && directionMark.test(found))) return found;
    removed += 1;
    if (kinds.size < mostKinds)
      kinds.add(`U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    // Separators of lines and paragraphs: what they separate stays separate.
    return found === '\u2028' || found === '\u2029' ? '\n' : '';
  });
  return { text, removed, kinds: [...kinds] };
}
