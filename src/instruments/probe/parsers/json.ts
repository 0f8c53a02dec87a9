import { parserLimits } from './bounds.ts';

/** JSON that may be cut, nested without end, or no JSON at all. */

const codes = { quote: 0x22, backslash: 0x5c, comma: 0x2c } as const;
const openers = new Set(['[', '{'].map((character) => character.charCodeAt(0)));
const closers = new Set([']', '}'].map((character) => character.charCodeAt(0)));

/** Where the string that begins at `at` ends, past its quote; the end of the text when it does not. */
function pastString(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === codes.backslash) next += 1;
    else if (code === codes.quote) return next + 1;
  }
  return text.length;
}

/** Counted before parsing: a parser that is given a million brackets takes memory for each. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = pastString(text, at) - 1;
    else if (openers.has(code)) depth += 1;
    else if (closers.has(code)) depth -= 1;
    if (depth > parserLimits.depth) return true;
  }
  return false;
}

/** Undefined when it is no JSON, or more than one thing that a scanner says. */
export function readJson(text: string): unknown {
  if (text.length > parserLimits.lineCharacters || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Items {
  readonly items: readonly unknown[];
  /** Those that could not be read, or were none. */
  readonly broken: number;
  /** Whether the list came to its end. */
  readonly isWhole: boolean;
}

/** Length of the list's beginning, `"results":[` with blanks, when it stands at `at`. */
function listStart(text: string, at: number, key: string): number | null {
  const end = pastString(text, at);
  if (text.slice(at + 1, end - 1) !== key) return null;
  const match = /^\s{0,64}:\s{0,64}\[/.exec(text.slice(end, end + 132));
  return match === null ? null : end + match[0].length;
}

function findList(text: string, key: string): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) {
      const start = depth === 1 ? listStart(text, at, key) : null;
      if (start !== null) return start;
      at = pastString(text, at) - 1;
    } else if (openers.has(code)) depth += 1;
    else if (closers.has(code)) depth -= 1;
  }
  return null;
}

/**
 * The items of the first list called `key` in the object that the text is, one by one, so that a text that was cut gives
 * those that it has.
 */
export function itemsOf(text: string, key: string, most: number): Items | null {
  const start = findList(text, key);
  if (start === null) return null;
  const items: unknown[] = [];
  let broken = 0;
  let from = start;
  const take = (to: number) => {
    const part = text.slice(from, to);
    if (part.trim() !== '') {
      const value = readJson(part);
      if (value === undefined) broken += 1;
      else items.push(value);
    }
    from = to + 1;
  };
  let depth = 0;
  for (let at = start; at < text.length && items.length < most && broken < parserLimits.broken; at += 1) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = pastString(text, at) - 1;
    else if (openers.has(code)) depth += 1;
    else if (code === codes.comma && depth === 0) take(at);
    else if (closers.has(code)) {
      depth -= 1;
      if (depth < 0) {
        take(at);
        return { items, broken, isWhole: true };
      }
    }
  }
  if (items.length < most && broken < parserLimits.broken) take(text.length);
  return { items, broken, isWhole: false };
}
