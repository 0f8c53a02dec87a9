import { styleText } from 'node:util';

/** Colours as functions, so that nothing else has to know whether there are any. */
export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly code: (text: string) => string;
}

const formats = { good: 'green', bad: 'red', warn: 'yellow', strong: 'bold', faint: 'dim', code: 'cyan' } as const;

export function createStyle(hasColor: boolean): Style {
  const paint = (name: keyof typeof formats) => (text: string) =>
    hasColor ? styleText(formats[name], text, { validateStream: false }) : text;
  return {
    good: paint('good'),
    bad: paint('bad'),
    warn: paint('warn'),
    strong: paint('strong'),
    faint: paint('faint'),
    code: paint('code'),
  };
}

/** NO_COLOR is the reader's wish for every program; an explicit `always` is newer than that. */
export function wantsColor(
  choice: 'auto' | 'always' | 'never',
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  return isTerminal && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
}
