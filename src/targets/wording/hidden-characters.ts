import { codePoints, confusableScripts, normaliseText } from '../../base/normalise.ts';

/** Characters that are not seen, that look like others, or that move a terminal's cursor. */

export interface HiddenCharacters {
  /** Code points of what cannot be seen, without those that writing needs. */
  readonly invisible: string | undefined;
  readonly confusable: string | undefined;
  readonly hasEscapes: boolean;
  /** Text that stands where nobody scrolls to, or in a comment. */
  readonly outOfSight: string | undefined;
}

/** Joiners and selectors belong to emoji; joiners to scripts that join letters; marks to scripts that run to the left. */
const emoji =
  /\p{Extended_Pictographic}(?:\ufe0f|\u20e3|[\u{1f3fb}-\u{1f3ff}]|\u200d\p{Extended_Pictographic})*|[0-9#*]\ufe0f?\u20e3|\p{Regional_Indicator}{2}/gu;
const joined =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}])[\u200c\u200d]/gu;
const leftward = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const asian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function invisibleIn(text: string): string | undefined {
  let visible = text
    .replace(/^\ufeff/, '')
    .replace(emoji, '')
    .replace(joined, '');
  if (leftward.test(visible)) visible = visible.replace(/[\u200e\u200f\u061c]/g, '');
  if (asian.test(visible)) visible = visible.replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, '');
  const removed = normaliseText(visible).changes.filter(
    ({ change, characters }) => change === 'removed' && characters !== 'U+001B' && characters !== 'U+00AD',
  );
  if (removed.length === 0) return undefined;
  const kinds = [...new Set(removed.map(({ characters }) => characters))];
  return `${removed.length} characters that cannot be seen: ${kinds.slice(0, 5).join(', ')}${kinds.length > 5 ? ' and others' : ''}`;
}

const imitating = new Set(['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Lisu', 'Coptic']);

function confusableIn(text: string): string | undefined {
  for (const [word] of text.matchAll(/\p{L}{4,64}/gu)) {
    const scripts = confusableScripts(word);
    if (scripts.includes('Latin') && scripts.some((script) => imitating.has(script))) {
      const strange = [...word].filter((letter) => !/\p{Script=Latin}/u.test(letter)).join('');
      return `${JSON.stringify(word)} mixes ${scripts.join(' and ')} (${codePoints(strange)})`;
    }
  }
  return undefined;
}

const escapes = /\u001b[[\]()PX^_]|\u009b|\\(?:u001b|x1b|033|e)\[/i;

function outOfSightIn(text: string): string | undefined {
  const padded = /(?:\n[ \t]*){30,}\S|[^\S\n]{120,}\S/.exec(text);
  if (padded !== null) return `text behind ${padded[0].length - 1} blanks`;
  const comment = /<!--(?<content>[\s\S]{20,2000}?)-->/.exec(text)?.groups?.content;
  return comment === undefined ? undefined : 'text in a comment that is not shown';
}

export function inspectCharacters(text: string): HiddenCharacters {
  return {
    invisible: invisibleIn(text),
    confusable: confusableIn(text),
    hasEscapes: escapes.test(text),
    outOfSight: outOfSightIn(text),
  };
}
