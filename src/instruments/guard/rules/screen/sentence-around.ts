/**
 * The sentence around a place, as `sentencesOf` will see it or longer. Hardly any expression reads on behind the end of a
 * sentence, so sentences are what they are shown.
 */

/** No phrase reaches further, on either side of its rarest word. */
export const around = 600;
/** Two places that are so close are looked at as one: from the first to behind the second. */
export const together = 128;

/** Blanks that are looked over to find the beginning of a sentence. */
const longestGap = 65_536;

export interface Span {
  readonly start: number;
  readonly end: number;
  /** Whether it begins where a sentence does. */
  readonly isBeginning: boolean;
  /** Whether it ends where one does. */
  readonly isEnding: boolean;
}

/** Where a text was cut in the middle of a sentence, that is not its beginning. */
const cut = '\u2026 ';
const [newLine, semicolon, dot] = [10, 0x3b, 0x2e];
const closing = new Set([0x22, 0x27, 0x29, 0x5d]);
const abbreviation = /(?:e\.g|i\.e|etc|vs|approx|incl)$/i;

const isBlank = (code: number): boolean => code === 0x20 || (code >= 9 && code <= 13);
const isWideEnd = (code: number): boolean => code === 0x3002 || code === 0xff01 || code === 0xff1f;

/** Whether what stands before this blank ends a sentence. */
function endsBefore(text: string, blank: number): boolean {
  let at = blank - 1;
  if (text.charCodeAt(at) === semicolon) return true;
  while (closing.has(text.charCodeAt(at))) at -= 1;
  const code = text.charCodeAt(at);
  if (code === 0x21 || code === 0x3f) return true;
  return code === dot && !abbreviation.test(text.slice(Math.max(0, at - 6), at));
}

/** Whether only blanks stand between this end of a line and the one before. */
function isEmptyLine(text: string, line: number): boolean {
  let at = line - 1;
  while (isBlank(text.charCodeAt(at))) {
    if (text.charCodeAt(at) === newLine) return true;
    at -= 1;
  }
  return false;
}

function isEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isWideEnd(code)) return true;
  if (!isBlank(code)) return false;
  if (code === newLine && isEmptyLine(text, at)) return true;
  return !isBlank(text.charCodeAt(at - 1)) && endsBefore(text, at);
}

/** More than is needed for one place, so that it serves those close behind it as well. */
const ahead = 3 * around;

export function wholeAround(text: string, place: number): Span {
  const start = Math.max(0, place - around);
  const end = Math.min(text.length, place + ahead);
  return { start, end, isBeginning: start === 0, isEnding: end === text.length };
}

export function sentenceAround(text: string, place: number): Span {
  const first = Math.max(0, place - around);
  const last = Math.min(text.length, place + ahead);
  let start = place;
  while (start > first && !isEnd(text, start - 1)) start -= 1;
  const isCut = start === first && start > 0;
  // A sentence that stands behind many blanks has its beginning there all the same.
  if (isCut) while (start > 0 && place - start < longestGap && isBlank(text.charCodeAt(start - 1))) start -= 1;
  let end = Math.min(last, place + together);
  while (end < last && !isEnd(text, end)) end += 1;
  return {
    start,
    end: Math.min(text.length, end + 1),
    isBeginning: !isCut || start === 0 || (start < first && isEnd(text, start)),
    isEnding: end < last || last === text.length,
  };
}

export function textOf(text: string, { start, end, isBeginning }: Span): string {
  const shown = text.slice(start, end);
  // Blanks between two sentences belong to neither.
  return isBeginning ? shown.trimStart() : cut + shown;
}
