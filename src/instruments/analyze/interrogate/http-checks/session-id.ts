/** Whether ids of sessions that were opened one after the other could have been foretold. */

const leastBits = 64;
const longestId = 1024;
const closeBy = 1_000_000n;

const alphabets = [
  { pattern: /^[0-9]*$/, size: 10 },
  { pattern: /^[0-9a-f]*$/i, size: 16 },
  { pattern: /^[0-9a-z]*$/, size: 36 },
  { pattern: /^[0-9A-Z]*$/, size: 36 },
] as const;

function sharedStart(texts: readonly string[]): number {
  const [first = ''] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length])) length += 1;
  return length;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** What is not the same in all of them. */
function different(ids: readonly string[]): readonly string[] {
  const start = sharedStart(ids);
  const rests = ids.map((id) => id.slice(start));
  const end = sharedStart(rests.map(reversed));
  return rests.map((rest) => rest.slice(0, rest.length - end));
}

/** As much as the differing parts could hold if they were random. */
function bitsOf(parts: readonly string[]): number {
  const joined = parts.join('').replace(/[^0-9A-Za-z]/g, '');
  const size = alphabets.find(({ pattern }) => pattern.test(joined))?.size ?? 62;
  const longest = Math.max(...parts.map((part) => part.replace(/[^0-9A-Za-z]/g, '').length));
  return longest * Math.log2(size);
}

function follow(ids: readonly string[]): boolean {
  const counts = ids.map((id) => /(\d{1,30})\D*$/.exec(id)?.[1]);
  if (!counts.every((count) => count !== undefined)) return false;
  if (new Set(ids.map((id, at) => id.replace(counts[at] ?? '', '#'))).size > 1) return false;
  const numbers = counts.map(BigInt);
  return numbers.every((number, at) => {
    const before = numbers[at - 1];
    return before === undefined || (number > before && number - before < closeBy);
  });
}

/** Null where they look random. Says nothing about fewer than two. */
export function guessableBecause(given: readonly string[]): string | null {
  const ids = given.map((id) => id.slice(0, longestId));
  if (ids.length < 2) return null;
  if (new Set(ids).size < ids.length) return 'two sessions have the same id';
  if (follow(ids)) return 'the ids follow one another';
  const bits = bitsOf(different(ids));
  return bits < leastBits ? `the ids differ in no more than ${Math.floor(bits)} bits` : null;
}
