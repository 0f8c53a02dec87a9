import { isObject } from '../../../../base/json-shape.ts';

/**
 * The JSON in an answer that should be nothing but JSON: alone, in a fenced block, with prose around it, or cut off in the
 * middle. Gives back the list of proposals as it came, or null when there is none.
 */

/** Many times what an answer may have. */
const longestText = 128 * 1024;
const mostStarts = 32;

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Position behind the bracket that closes the one at `from`; -1 when none does. */
function endOf(text: string, from: number): number {
  const bracket = /["{}[\]]/g;
  bracket.lastIndex = from;
  let depth = 0;
  for (let found = bracket.exec(text); found !== null; found = bracket.exec(text)) {
    const [character] = found;
    if (character === '"') {
      const end = textEnd(text, bracket.lastIndex);
      if (end < 0) return -1;
      bracket.lastIndex = end;
    } else depth += character === '{' || character === '[' ? 1 : -1;
    if (depth === 0) return bracket.lastIndex;
  }
  return -1;
}

/** Position behind the quote that ends a text. */
function textEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\' && at - 1 - escapes >= from) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return -1;
}

/** The list in a value of any of the shapes that models answer with. */
function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value))
    return value.some((item) => isObject(item) && 'tool' in item) || value.length === 0 ? value : null;
  if (!isObject(value)) return null;
  if (Array.isArray(value.proposals)) return value.proposals;
  const inner = Object.values(value).find(
    (each) => Array.isArray(each) && each.some((item) => isObject(item) && 'tool' in item),
  );
  return Array.isArray(inner) ? inner : null;
}

function startsOf(text: string, pattern: RegExp): readonly number[] {
  return Array.from(text.matchAll(pattern), ({ index }) => index).slice(0, mostStarts);
}

/** What is whole in a list that was cut off. */
function wholeParts(text: string): readonly unknown[] {
  const parts: unknown[] = [];
  let behind = 0;
  for (const start of startsOf(text, /\{\s*"tool"\s*:/g)) {
    const end = start < behind ? -1 : endOf(text, start);
    const part = end < 0 ? undefined : parse(text.slice(start, end));
    if (!isObject(part)) continue;
    parts.push(part);
    behind = end;
  }
  return parts;
}

export function findProposals(answer: string): readonly unknown[] | null {
  const text = answer.slice(0, longestText);
  const whole = listIn(parse(text.trim()));
  if (whole !== null) return whole;
  for (const [, block = ''] of text.matchAll(/```[a-zA-Z]*\s*\n([\s\S]*?)```/g)) {
    const list = listIn(parse(block.trim()));
    if (list !== null) return list;
  }
  let behind = 0;
  for (const start of startsOf(text, /[{[]/g)) {
    if (start < behind) continue;
    const end = endOf(text, start);
    const value = end < 0 ? undefined : parse(text.slice(start, end));
    const list = listIn(value);
    if (list !== null) return list;
    // What is valid but something else is passed over as a whole; it holds no answer.
    if (value !== undefined) behind = end;
  }
  const parts = wholeParts(text);
  return parts.length === 0 ? null : parts;
}
