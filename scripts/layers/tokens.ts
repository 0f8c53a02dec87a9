/**
 * Just enough of a TypeScript lexer to find imports: names, strings and punctuation, with comments, templates and
 * regular expressions passed over correctly. A word in a comment or a string is never taken for code.
 */

export type Token =
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  | { readonly kind: 'string'; readonly text: string; readonly at: number }
  /** A template with something computed in it. */
  | { readonly kind: 'template'; readonly text: ''; readonly at: number }
  | { readonly kind: 'mark'; readonly text: string; readonly at: number };

const wordPattern = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const numberPattern = /[0-9][0-9a-zA-Z_.]*/y;

/** After these a slash begins a regular expression; after any other word it divides. */
const wordsBeforeExpression = new Set(
  'return typeof instanceof in of new delete void throw case do else yield await extends'.split(' '),
);

function startsExpression(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'word') return wordsBeforeExpression.has(previous.text);
  if (previous.kind !== 'mark') return false;
  return previous.text !== ')' && previous.text !== ']' && previous.text !== '}';
}

/** Position after the closing delimiter of a regular expression; a slash in a class does not close it. */
function skipExpression(source: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (character === '\n') return at;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return at + 1;
  }
  return source.length;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

/** An escaped specifier names the same module as a plain one, so it is read as what it means. */
function readEscape(source: string, at: number): { readonly text: string; readonly end: number } {
  const rest = source.slice(at, at + 12);
  const hex = /^x([0-9a-fA-F]{2})|^u([0-9a-fA-F]{4})|^u\{([0-9a-fA-F]{1,6})\}/.exec(rest);
  const digits = hex?.[1] ?? hex?.[2] ?? hex?.[3];
  if (hex !== null && digits !== undefined) {
    return { text: String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff)), end: at + hex[0].length };
  }
  const character = source[at] ?? '';
  if (character === '\n') return { text: '', end: at + 1 };
  return { text: simpleEscapes[character] ?? character, end: at + 1 };
}

function readString(source: string, start: number): { readonly text: string; readonly end: number } {
  const quote = source[start];
  let text = '';
  for (let at = start + 1; at < source.length; ) {
    const character = source[at] ?? '';
    if (character === quote || character === '\n') return { text, end: at + 1 };
    if (character === '\\') {
      const escaped = readEscape(source, at + 1);
      text += escaped.text;
      at = escaped.end;
    } else {
      text += character;
      at++;
    }
  }
  return { text, end: source.length };
}

/** One run over a source; templates nest, so what is inside `${}` is read by the same loop. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** For every open template: how many braces are open inside its current `${`. */
  const templates: { braces: number; readonly token: number }[] = [];
  let at = source.startsWith('#!') ? source.indexOf('\n') : 0;
  if (at < 0) return [];

  /** Reads template text up to its end or to the next `${`. */
  const readTemplate = (start: number, index: number): number => {
    let text = '';
    for (let here = start; here < source.length; ) {
      const character = source[here];
      if (character === '\\') {
        const escaped = readEscape(source, here + 1);
        text += escaped.text;
        here = escaped.end;
      } else if (character === '`') {
        const opened = tokens[index];
        if (opened?.kind === 'string') tokens[index] = { ...opened, text };
        return here + 1;
      } else if (character === '$' && source[here + 1] === '{') {
        tokens[index] = { kind: 'template', text: '', at: tokens[index]?.at ?? here };
        templates.push({ braces: 0, token: index });
        return here + 2;
      } else {
        text += character;
        here++;
      }
    }
    return source.length;
  };

  const readAt = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0] ?? null;
  };

  while (at < source.length) {
    const character = source[at] ?? '';
    const next = source[at + 1];
    const open = templates.at(-1);
    const word = readAt(wordPattern);
    if (/\s/.test(character)) at++;
    else if (character === '/' && next === '/')
      at = source.indexOf('\n', at) === -1 ? source.length : source.indexOf('\n', at);
    else if (character === '/' && next === '*')
      at = source.indexOf('*/', at + 2) === -1 ? source.length : source.indexOf('*/', at + 2) + 2;
    else if (character === '"' || character === "'") {
      const { text, end } = readString(source, at);
      tokens.push({ kind: 'string', text, at });
      at = end;
    } else if (character === '`') {
      tokens.push({ kind: 'string', text: '', at });
      at = readTemplate(at + 1, tokens.length - 1);
    } else if (character === '}' && open !== undefined && open.braces === 0) {
      templates.pop();
      at = readTemplate(at + 1, open.token);
    } else if (word !== null) {
      tokens.push({ kind: 'word', text: word, at });
      at += word.length;
    } else if (/[0-9]/.test(character)) {
      const number = readAt(numberPattern) ?? character;
      tokens.push({ kind: 'word', text: number, at });
      at += number.length;
    } else if (character === '/' && startsExpression(tokens.at(-1))) {
      tokens.push({ kind: 'template', text: '', at });
      at = skipExpression(source, at);
    } else {
      if (open !== undefined) open.braces += character === '{' ? 1 : character === '}' ? -1 : 0;
      tokens.push({ kind: 'mark', text: character, at });
      at++;
    }
  }
  return tokens;
}
