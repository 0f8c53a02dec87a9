import { codePoints, describeChanges, normaliseText } from '../../../base/normalise.ts';

/**
 * What a person reads where other characters stand: invisible ones are left out, look-alikes become what they look like.
 * Quotes of typesetters are left alone: no shell takes them for quotes, and honest text is full of them.
 */

const pairs: readonly (readonly [string, string])[] = [
  ['а', 'a'],
  ['А', 'A'],
  ['В', 'B'],
  ['с', 'c'],
  ['С', 'C'],
  ['ԁ', 'd'],
  ['е', 'e'],
  ['Е', 'E'],
  ['һ', 'h'],
  ['Н', 'H'],
  ['і', 'i'],
  ['І', 'I'],
  ['ј', 'j'],
  ['Ј', 'J'],
  ['к', 'k'],
  ['К', 'K'],
  ['ӏ', 'l'],
  ['м', 'm'],
  ['М', 'M'],
  ['п', 'n'],
  ['о', 'o'],
  ['О', 'O'],
  ['р', 'p'],
  ['Р', 'P'],
  ['ԛ', 'q'],
  ['ѕ', 's'],
  ['Ѕ', 'S'],
  ['т', 't'],
  ['Т', 'T'],
  ['ѵ', 'v'],
  ['ԝ', 'w'],
  ['х', 'x'],
  ['Х', 'X'],
  ['у', 'y'],
  ['У', 'Y'],
  ['Ꮓ', 'Z'],
  ['α', 'a'],
  ['Α', 'A'],
  ['Β', 'B'],
  ['ϲ', 'c'],
  ['ε', 'e'],
  ['Ε', 'E'],
  ['Η', 'H'],
  ['ι', 'i'],
  ['Ι', 'I'],
  ['ϳ', 'j'],
  ['κ', 'k'],
  ['Κ', 'K'],
  ['Μ', 'M'],
  ['Ν', 'N'],
  ['η', 'n'],
  ['ο', 'o'],
  ['Ο', 'O'],
  ['ρ', 'p'],
  ['Ρ', 'P'],
  ['τ', 't'],
  ['Τ', 'T'],
  ['υ', 'u'],
  ['ν', 'v'],
  ['χ', 'x'],
  ['Χ', 'X'],
  ['γ', 'y'],
  ['Υ', 'Y'],
  ['Ζ', 'Z'],
  ['հ', 'h'],
  ['ո', 'n'],
  ['օ', 'o'],
  ['ս', 'u'],
  ['ց', 'g'],
  ['ı', 'i'],
  ['ɡ', 'g'],
  ['ɑ', 'a'],
  ['ᴏ', 'o'],
  ['ꓐ', 'B'],
  ['‐', '-'],
  ['‑', '-'],
  ['‒', '-'],
  ['–', '-'],
  ['—', '-'],
  ['―', '-'],
  ['−', '-'],
  ['⁄', '/'],
  ['∕', '/'],
  ['⧸', '/'],
  ['ǀ', '|'],
  ['∣', '|'],
  ['ꞏ', '.'],
  ['․', '.'],
  ['；', ';'],
  ['﹔', ';'],
];
const lookAlikes = new Map(pairs);

export interface ReadText {
  readonly text: string;
  /** For people; empty when nothing stands for anything else. */
  readonly changes: string;
}

/** Accents that are written in one way or another are the same letter, and no disguise. */
export function readThrough(given: string): ReadText {
  const { text, changes } = normaliseText(given);
  const hidden = changes.filter(({ change }) => change !== 'composed');
  const swapped = new Set<string>();
  const folded = Array.from(text, (character) => {
    const plain = lookAlikes.get(character);
    if (plain !== undefined) swapped.add(`${codePoints(character)} looks like ${JSON.stringify(plain)}`);
    return plain ?? character;
  }).join('');
  const told = [...(hidden.length === 0 ? [] : [describeChanges(hidden)]), ...[...swapped].slice(0, 5)];
  return { text: folded, changes: told.join(', ') };
}
