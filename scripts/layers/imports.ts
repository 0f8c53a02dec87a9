import { type Token, tokenize } from './tokens.ts';

export interface ImportFound {
  /** Null where the name is computed and nobody can tell what is loaded. */
  readonly specifier: string | null;
  readonly line: number;
}

const isMark = (token: Token | undefined, text: string): boolean => token?.kind === 'mark' && token.text === text;
const isWord = (token: Token | undefined, text: string): boolean => token?.kind === 'word' && token.text === text;

/** The string after `from`, looked for until the statement ends. */
function findFrom(tokens: readonly Token[], start: number): Token | null {
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index];
    const next = tokens[index + 1];
    if (isWord(token, 'from') && next?.kind === 'string') return next;
    if (isMark(token, ';') || isMark(token, '(') || isMark(token, '=')) return null;
    if (token?.kind === 'string' && index === start) return token;
  }
  return null;
}

/** `export` only loads something as `export {…} from`, `export * from`, `export type {…} from`. */
function startsReexport(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  const second = isWord(next, 'type') ? tokens[index + 2] : next;
  return isMark(second, '{') || isMark(second, '*');
}

/** What follows the closing brace of `export {…}` decides whether it loads anything. */
function reexportFrom(tokens: readonly Token[], index: number): Token | null {
  let at = index + 1;
  if (isWord(tokens[at], 'type')) at++;
  if (isMark(tokens[at], '{')) {
    while (at < tokens.length && !isMark(tokens[at], '}')) at++;
    at++;
  } else {
    at++;
    if (isWord(tokens[at], 'as')) at += 2;
  }
  const source = tokens[at + 1];
  return isWord(tokens[at], 'from') && source?.kind === 'string' ? source : null;
}

/** Every module that a source loads or takes types from, in order. */
export function findImports(source: string): readonly ImportFound[] {
  const tokens = tokenize(source);
  const found: ImportFound[] = [];
  const add = (token: Token, specifier: string | null): void => {
    found.push({ specifier, line: source.slice(0, token.at).split('\n').length });
  };
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || isMark(tokens[index - 1], '.')) return;
    const next = tokens[index + 1];
    const argument = tokens[index + 2];
    if ((token.text === 'import' || token.text === 'require') && isMark(next, '(')) {
      const isPlain = argument?.kind === 'string' && (isMark(tokens[index + 3], ')') || isMark(tokens[index + 3], ','));
      // A method called `import` or a parameter list is not followed by something to load.
      if (argument !== undefined) add(token, isPlain ? argument.text : null);
      return;
    }
    if (token.text === 'import' && !isMark(next, '.') && !isMark(next, ':')) {
      const from = findFrom(tokens, index + 1);
      if (from !== null) add(token, from.text);
      return;
    }
    if (token.text === 'export' && startsReexport(tokens, index)) {
      const from = reexportFrom(tokens, index);
      if (from !== null) add(token, from.text);
    }
  });
  return found;
}
