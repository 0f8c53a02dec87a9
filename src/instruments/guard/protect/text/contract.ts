import type { Keys, TextEdit } from '../contract.ts';

/**
 * A document that is changed by as few characters as can be: what is not named stays as it was typed. Every function
 * throws a UsageError with the reason where the place is written in a way that cannot be changed like this.
 */
export interface EditableText {
  /** What a parser makes of it. */
  readonly value: unknown;
  /** Another text in the place of one. */
  setText(keys: Keys, text: string): TextEdit;
  /** Words before the first member of a list. */
  prepend(keys: Keys, words: readonly string[]): TextEdit;
  /** The first members of a list away. */
  removeFirst(keys: Keys, count: number): TextEdit;
  /** A list under a new key, right after another key of the same table. */
  addList(table: Keys, after: string, key: string, words: readonly string[]): TextEdit;
}

export function showKeys(keys: Keys): string {
  return keys.map(String).join('.');
}
