import type { Findings } from '../findings.ts';

/** What an inspection carries along: what was found, and how to go on with words and lines that are inside others. */
export interface Look {
  readonly found: Findings;
  /** The words that led here, to be shown before those that are looked at. */
  readonly way: readonly string[];
  words(argv: readonly string[], way: readonly string[]): void;
  line(text: string, way: readonly string[]): void;
}
