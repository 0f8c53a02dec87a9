import type { Scan } from './scan.ts';
import type { IndicatorType } from './types.ts';

/**
 * What a reader is called for. Readers of one trigger run in the order of the list; triggers in the order written here:
 * what is long and sure first, so that its parts are not read as something else.
 */
export const triggers = ['text', 'scheme', 'path', 'at', 'colon', 'name', 'word'] as const;
export type Trigger = (typeof triggers)[number];

/** `from` and `to`: the run of characters for `name` and `word`, the place of the character for the others, all for `text`. */
export interface Reader {
  readonly trigger: Trigger;
  /** Gives back the place to go on from, where what was read is longer than the trigger. */
  read(scan: Scan, from: number, to: number): number | undefined;
}

export interface MispForm {
  readonly type: string;
  readonly category: string;
}

/** How STIX says it: an object of its own where it has one, and the left side of a comparison. */
export interface StixForm {
  /** Left side of a comparison: `domain-name:value`. */
  readonly path: string;
  /** The right side is a number. */
  readonly isNumber?: boolean;
  /** In place of both, where one comparison is not enough; the second argument makes a literal of a text. */
  readonly comparison?: (value: string, literal: (text: string) => string) => string;
  /** The object and the properties that make its id; absent: the indicator stands alone. */
  readonly observable?: (value: string) => { readonly type: string; readonly [property: string]: unknown };
}

/** One type of indicator is one file that exports one of these, and one line in the list. */
export interface IndicatorKind {
  readonly type: IndicatorType;
  readonly title: string;
  readonly misp: MispForm;
  readonly stix?: StixForm;
  /** How it is made unclickable. */
  readonly defang?: 'host' | 'url' | 'email';
  readonly readers: readonly Reader[];
}
