import { isObject } from '../../../../base/json-shape.ts';

/** What we gave, and what is left of an answer without it. */

const mostLeaves = 500;
const deepest = 32;
const shortestGiven = 4;
const shortestLine = 8;

/** Every text in a value, names included. */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined && texts.length < mostLeaves; at = waiting.pop()) {
    if (typeof at.value === 'string') texts.push(at.value);
    else if (at.depth < deepest && (Array.isArray(at.value) || isObject(at.value))) {
      const children: readonly unknown[] = Array.isArray(at.value) ? at.value : Object.entries(at.value).flat();
      const next = children.slice(0, mostLeaves).map((child) => ({ value: child, depth: (at?.depth ?? 0) + 1 }));
      for (const child of next.reverse()) waiting.push(child);
    }
  }
  return texts;
}

function forms(text: string): readonly string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(({ length }) => length >= shortestLine);
  return [text, escaped, ...(lines.length > 1 ? lines : [])];
}

/** The longest first, so that no part of a given text is left because a shorter one was in it. */
export function withoutGiven(text: string, given: readonly string[]): string {
  const all = [...new Set(given.flatMap(forms))].filter(({ length }) => length >= shortestGiven);
  let left = text;
  for (const each of all.toSorted((one, other) => other.length - one.length)) left = left.replaceAll(each, ' ');
  return left;
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
const mostShared = 0.8;

/** The same words in another dress: escaped, cut, turned into capitals. */
export function isEcho(sentence: string, given: readonly string[]): boolean {
  const words = new Set(wordsIn(sentence));
  if (words.size === 0) return true;
  return given.some((text) => {
    const own = new Set(wordsIn(text));
    return [...words].filter((word) => own.has(word)).length / words.size >= mostShared;
  });
}
