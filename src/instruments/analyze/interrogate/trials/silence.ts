import type { Oracle } from './contract.ts';

/**
 * Whether a payload keeps its marker to itself. Answers repeat payloads in many forms, so what an oracle looks for in an
 * answer must not be found in the payload in any of them: a trial that fails this is not made.
 */

function forms(value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const bare = text.replace(/[^A-Za-z0-9]/g, '');
  return [text, bare, [...bare].reverse().join('')].map((form) => form.toLowerCase());
}

/** What the oracle would take as proof in an answer; events and files are proof whatever the payload says. */
function soughtInAnswer(oracle: Oracle): string | null {
  if (oracle.kind === 'canary-in-result') return oracle.canary;
  return oracle.kind === 'computed' || oracle.kind === 'sql-altered' ? oracle.product : null;
}

export function isSilent(oracle: Oracle, sent: readonly unknown[]): boolean {
  const sought = soughtInAnswer(oracle);
  if (sought === null) return true;
  const bare = sought.toLowerCase().replace(/[^a-z0-9]/g, '');
  // A token too short would be found by chance.
  if (bare.length < 8) return false;
  return !sent.filter((value) => value !== undefined).some((value) => forms(value).some((form) => form.includes(bare)));
}
