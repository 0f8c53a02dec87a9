/**
 * The parser keeps no count of its own depth, and text that is nested deeply enough ends the process it runs in. This looks
 * at the text first. It is a guess where a regular expression begins, so it can be wrong by a few, which the margin bears.
 */

const deepest = 1_500;
const longestChain = 3_000;
const beforeRegex =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield))$/;

const code = (text: string, at: number): number => text.charCodeAt(at);

function endOfText(text: string, from: number, quote: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = code(text, at);
    if (character === 92) at += 1;
    else if (character === quote || (character === 10 && quote !== 96)) return at;
  }
  return text.length;
}

function endOfRegex(text: string, from: number): number {
  let isClass = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '\n') return at;
    else if (character === '[') isClass = true;
    else if (character === ']') isClass = false;
    else if (character === '/' && !isClass) return at;
  }
  return text.length;
}

/** Words after which more of the same statement or expression comes, one level deeper. */
const deepening = new Set([
  'if',
  'else',
  'for',
  'while',
  'do',
  'with',
  'new',
  'await',
  'yield',
  'typeof',
  'void',
  'delete',
  'async',
  'keyof',
  'infer',
]);
const longestWord = 6;
const operators = new Set(['?', '!', '~', '=', '*', '<', ':']);

const isWord = (character: number): boolean =>
  (character >= 97 && character <= 122) ||
  (character >= 65 && character <= 90) ||
  (character >= 48 && character <= 57) ||
  character === 95 ||
  character === 36;

/** What comes next belongs to what was before. */
function goesOn(text: string, from: number): boolean {
  const next = text.slice(from, from + 40).trimStart();
  return /^(?:else\b|[?:=*<!~.])/.test(next);
}

/** A line that ends a statement without a semicolon. */
function endsStatement(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at).trimEnd();
  const after = text.slice(at, at + 40).trimStart();
  if (!/[\w$)\]'"`]$/.test(before) || deepening.has(/[a-z]+$/.exec(before)?.[0] ?? '')) return false;
  return /^[\w$@]/.test(after) && !deepening.has(/^[a-z]+/.exec(after)?.[0] ?? '');
}

/** Levels of brackets, and in each of them what stands open without a bracket: `a => b => c`, `if (a) if (b) c`. */
export function isNestedTooDeeply(text: string): boolean {
  const chains: number[] = [0];
  let total = 0;
  /** Depths at which a `${` stands: its `}` leads back into the template. */
  const templates: number[] = [];
  const reset = (): void => {
    total -= chains.at(-1) ?? 0;
    chains[chains.length - 1] = 0;
  };
  const close = (): void => {
    if (chains.length === 1) return;
    total -= chains.pop() ?? 0;
  };
  const extend = (): void => {
    total += 1;
    chains[chains.length - 1] = (chains.at(-1) ?? 0) + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isWord(code(text, at))) {
      const from = at;
      while (isWord(code(text, at + 1))) at += 1;
      if (at - from < longestWord && deepening.has(text.slice(from, at + 1))) extend();
    } else if (character === '"' || character === "'") at = endOfText(text, at + 1, code(text, at));
    else if (character === '`') at = intoTemplate(at + 1);
    else if (character === '/') at = behindSlash(at);
    else if (character === '(' || character === '[' || character === '{') chains.push(0);
    else if (character === ')' || character === ']') close();
    else if (character === '}') {
      close();
      if (templates.at(-1) === chains.length) {
        templates.pop();
        at = intoTemplate(at + 1);
      } else if (!goesOn(text, at + 1)) reset();
    } else if (character === ',' || (character === ';' && !goesOn(text, at + 1))) reset();
    else if (character === '\n' && (chains.at(-1) ?? 0) > 0 && endsStatement(text, at)) reset();
    else if (operators.has(character)) extend();
    if (chains.length > deepest || total > longestChain) return true;
  }
  return false;

  function behindSlash(at: number): number {
    if (text[at + 1] === '/') return (text.indexOf('\n', at) + 1 || text.length + 1) - 2;
    if (text[at + 1] === '*') return (text.indexOf('*/', at + 2) + 2 || text.length + 1) - 1;
    return beforeRegex.test(text.slice(Math.max(0, at - 12), at).trimEnd()) ? endOfRegex(text, at + 1) : at;
  }

  function intoTemplate(from: number): number {
    for (let at = from; at < text.length; at += 1) {
      const character = text[at];
      if (character === '\\') at += 1;
      else if (character === '`') return at;
      else if (character === '$' && text[at + 1] === '{') {
        templates.push(chains.length);
        chains.push(0);
        return at + 1;
      }
    }
    return text.length;
  }
}
