import { asNumber, asString } from '../../../base/json-shape.ts';
import type { ScanFinding } from '../contract.ts';

/**
 * Answers that so many words got that they cannot be about the words: the page of an application for every path, a door
 * before all of them, a limit of the rate. An answer may repeat the word that was asked for.
 */

const leastAlike = 25;
const mostRepeated = 3;

function keysOf({ status, length, words, lines, word }: ScanFinding): readonly string[] {
  const [code, bytes] = [asNumber(status), asNumber(length)];
  if (code === undefined || bytes === undefined) return [];
  const own = Buffer.byteLength(asString(word) ?? '');
  return Array.from(
    { length: mostRepeated + 1 },
    (_, times) => `${code} ${words} ${lines} ${times} ${bytes - times * own}`,
  );
}

export function findAlike(findings: readonly ScanFinding[]): ReadonlySet<ScanFinding> {
  const counts = new Map<string, number>();
  for (const key of findings.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set(findings.filter((each) => keysOf(each).some((key) => (counts.get(key) ?? 0) >= leastAlike)));
}

/** `200, 404`: which answers they were. */
export function statusesOf(findings: ReadonlySet<ScanFinding>): string {
  return [...new Set([...findings].map(({ status }) => asNumber(status) ?? 0))].toSorted((a, b) => a - b).join(', ');
}
