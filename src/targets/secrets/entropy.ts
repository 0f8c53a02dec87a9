/** Bits per character. Random base 64 of 32 characters has about 4.5, words of a language under 3.5. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const hexOnly = /^[0-9a-f]+$/i;

/** A text that no person chose: enough of it, mixed, and not made of words. */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || text.length > 512 || /\s/.test(text)) return false;
  if (hexOnly.test(text)) return text.length >= 32 && entropyOf(text) >= 3;
  const classes = [/[a-z]/, /[A-Z]/, /\d/].filter((pattern) => pattern.test(text)).length;
  if (classes < 2 || !/\d/.test(text)) return false;
  if (
    /^(?:https?|file|git|ssh|wss?|data|urn):|^[./~]|^@|\/\/|^[\w-]+(?:\.[\w-]+)+$|^[A-Z0-9_]+$|^[a-z]+(?:[-_./:][a-z0-9]+)+$/.test(
      text,
    )
  )
    return false;
  return entropyOf(text) >= Math.min(4, 0.82 * Math.log2(text.length));
}
