import { answersOf, excerptAt, isKnown } from './answer.ts';
import type { Look } from './contract.ts';

/** The product alone: inside of a longer number it is chance. */
export const lookForProduct: Look<'sql-altered' | 'computed'> = ({ kind, product }, observed) => {
  const alone = new RegExp(`(?<![0-9])${product}(?![0-9])`);
  for (const text of answersOf(observed)) {
    const found = alone.exec(text);
    if (found === null || isKnown(observed, product)) continue;
    const who = kind === 'computed' ? 'an interpreter' : 'the database';
    return {
      evidenceClass: 'A',
      events: [],
      excerpt: excerptAt(text, found.index, product.length),
      because: `${who} multiplied two numbers of the payload`,
    };
  }
  return null;
};
