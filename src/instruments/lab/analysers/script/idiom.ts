import type { FindingRule } from '../draft.ts';

/** One row: words that do something worth telling. Patterns have bounded repeats only, so that they stay linear. */
export interface Idiom extends FindingRule {
  readonly pattern: RegExp;
}
