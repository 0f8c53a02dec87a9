import { mostWords, type Token } from './contract.ts';
import { type ScanOptions, scanWord } from './scan-word.ts';

/** A line in pieces: words, operators, and redirections with the texts that belong to them. */

const operators = ['&&', '||', ';;', '|&', '|', ';', '&', '(', ')', '\n'];
const redirection = /^(?:\d{0,3}|\{\w+\})(?:&>>|&>|<<<|<<-|<<|<>|>>|>\||[<>]&|[<>](?!\())/;

interface Waiting {
  readonly index: number;
  readonly mark: string;
  readonly isIndented: boolean;
}

export interface Tokens {
  readonly tokens: readonly Token[];
  readonly problems: readonly string[];
}

/** The lines up to the mark, and where the line after it begins. */
function readBody(
  text: string,
  at: number,
  { mark, isIndented }: Waiting,
): { readonly body: string; readonly end: number } {
  const lines: string[] = [];
  let position = at;
  while (position < text.length) {
    const stop = text.indexOf('\n', position);
    const end = stop === -1 ? text.length : stop;
    const line = text.slice(position, end);
    position = end + 1;
    if ((isIndented ? line.replace(/^\t+/, '') : line) === mark) break;
    lines.push(line);
  }
  return { body: lines.join('\n'), end: Math.min(position, text.length) };
}

export function readTokens(text: string, options: ScanOptions): Tokens {
  const tokens: Token[] = [];
  const problems: string[] = [];
  const waiting: Waiting[] = [];
  let at = 0;
  while (at < text.length) {
    if (tokens.length > mostWords) {
      problems.push('more words than are read');
      break;
    }
    const character = text[at] ?? '';
    if (character === '\\' && text[at + 1] === '\n') at += 2;
    else if (character !== '\n' && /\s/.test(character)) at += 1;
    else if (character === '#') {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end;
    } else if (redirection.test(text.slice(at, at + 40))) at = readRedirection(at);
    else {
      const operator = operators.find((each) => text.startsWith(each, at));
      if (operator === undefined) at = readWord(at);
      else {
        tokens.push({ is: 'operator', text: operator });
        at += operator.length;
        if (operator === '\n') at = readBodies(at);
      }
    }
  }
  return { tokens, problems };

  function readWord(from: number): number {
    const { word, end, isOpen, isParted } = scanWord(text, from, options);
    if (isOpen) problems.push('a quote or a bracket is not closed');
    if (word.value !== '' || !isParted) tokens.push({ is: 'word', word });
    return Math.max(end, from + 1);
  }

  function readRedirection(from: number): number {
    const [operator = '<'] = redirection.exec(text.slice(from, from + 40)) ?? [];
    let position = from + operator.length;
    while (text[position] === ' ' || text[position] === '\t') position += 1;
    const { word, end, isOpen } = scanWord(text, position, options);
    if (isOpen) problems.push('a quote or a bracket is not closed');
    if (/<<-?$/.test(operator) && !operator.endsWith('<<<')) {
      waiting.push({ index: tokens.length, mark: word.value, isIndented: operator.endsWith('-') });
    }
    tokens.push({
      is: 'redirection',
      redirection: { operator: operator.replace(/^(?:\d+|\{\w+\})/, ''), target: word },
    });
    return Math.max(end, from + operator.length);
  }

  function readBodies(from: number): number {
    let position = from;
    for (const each of waiting.splice(0)) {
      const { body, end } = readBody(text, position, each);
      const token = tokens[each.index];
      if (token?.is === 'redirection') {
        tokens[each.index] = { is: 'redirection', redirection: { ...token.redirection, body } };
      }
      position = end;
    }
    return position;
  }
}
