import { createStyle, type Style, wantsColor } from './style.ts';
import { chooseSymbols, type Symbols } from './symbols.ts';

export { formatJson } from '../../../base/format-json.ts';
export { count, formatBytes, formatMs } from './quantity.ts';
export { renderRows } from './rows.ts';
export type { Style } from './style.ts';
export type { Symbols } from './symbols.ts';
export { displayWidth, wrap } from './width.ts';

/** What rendering needs to know about where its text goes. */
export interface Terminal {
  readonly style: Style;
  readonly symbols: Symbols;
  /** Infinity where the output is not a terminal. */
  readonly width: number;
}

export interface TerminalFacts {
  readonly color: 'auto' | 'always' | 'never';
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const widest = 120;

export function describeTerminal(facts: TerminalFacts): Terminal {
  return {
    style: createStyle(wantsColor(facts.color, facts.isTerminal, facts.environment)),
    symbols: chooseSymbols(facts.environment),
    width: facts.isTerminal ? Math.min(facts.columns ?? 80, widest) : Number.POSITIVE_INFINITY,
  };
}
