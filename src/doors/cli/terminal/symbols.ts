/** Marks before a line. A terminal whose locale is not UTF-8 gets letters that every terminal has. */
export interface Symbols {
  readonly good: string;
  readonly bad: string;
  readonly warn: string;
  readonly none: string;
  readonly arrow: string;
}

const drawn: Symbols = { good: '✔', bad: '✘', warn: '!', none: '·', arrow: '→' };
const plain: Symbols = { good: '+', bad: 'x', warn: '!', none: '-', arrow: '>' };

export function chooseSymbols(environment: Readonly<Record<string, string | undefined>>): Symbols {
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  return /utf-?8/i.test(locale) ? drawn : plain;
}
