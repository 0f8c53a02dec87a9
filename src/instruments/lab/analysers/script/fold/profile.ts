import type { Quoted } from './quotes.ts';
import type { Constant } from './token.ts';

/** What a function of a language gives for constants; nothing where that cannot be said. */
export type FoldResult = string | number | readonly (string | number)[] | undefined;

export interface FoldFunction {
  readonly run: (values: readonly Constant[]) => FoldResult;
  /** Undoes an encoding: what it gives is a layer of its own. */
  readonly decodes?: string;
}

/** One language, as far as constants are concerned. */
export interface Profile {
  readonly comment: RegExp;
  readonly quoteStart: RegExp;
  readonly quote: (text: string, at: number) => Quoted | undefined;
  /** Quotes that go over lines. */
  readonly multiline: string;
  /** Tells sorts of quotes apart that begin with the same character. */
  readonly wide?: (text: string, at: number) => string;
  readonly word: RegExp;
  readonly number?: RegExp;
  /** Has `/…/` patterns. */
  readonly patterns: boolean;
  readonly ignoreCase: boolean;
  /** Signs and words that join two texts. */
  readonly joins: ReadonlySet<string>;
  readonly assigns: ReadonlySet<string>;
  readonly variable: RegExp;
  readonly functions: Readonly<Record<string, FoldFunction>>;
  /** Called on a constant with a dot; the constant comes first. */
  readonly methods: Readonly<Record<string, FoldFunction>>;
  /** Operators that are words, such as `-join`. The values are what stands left and right. */
  readonly operators: Readonly<Record<string, FoldFunction>>;
  /** Words that run the text they are given. */
  readonly runners: ReadonlySet<string>;
  readonly write: (value: string) => string;
}
