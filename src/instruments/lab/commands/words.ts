import type { Node } from 'web-tree-sitter';

/** The text a word stands for, and what in it only a shell can do. */

export interface Word {
  /** Null when it depends on what a shell would put there. */
  readonly text: string | null;
  readonly needs: readonly string[];
}

const needOfType: Readonly<Record<string, string>> = {
  simple_expansion: 'variable',
  expansion: 'substitution',
  command_substitution: 'substitution',
  process_substitution: 'process-substitution',
  arithmetic_expansion: 'arithmetic',
  brace_expression: 'brace',
  array: 'array',
  extglob_pattern: 'glob',
  regex: 'pattern',
};

export function readWord(node: Node): Word {
  switch (node.type) {
    case 'command_name':
      return joinWords(node.children.map(readWord));
    case 'concatenation':
      return readConcatenation(node);
    case 'word':
    case 'number':
    case 'variable_name':
    case 'special_variable_name':
    case 'file_descriptor':
      return readPlain(node.text);
    case 'raw_string':
      return { text: node.text.slice(1, -1), needs: [] };
    case 'ansi_c_string':
      return { text: decodeAnsi(node.text.slice(2, -1)), needs: [] };
    case 'string':
    case 'translated_string':
      return readQuoted(node);
    default:
      return { text: null, needs: [needOfType[node.type] ?? 'construct'] };
  }
}

function joinWords(parts: readonly Word[]): Word {
  const texts = parts.map(({ text }) => text);
  const text = texts.every((each) => each !== null) ? texts.join('') : null;
  return { text, needs: parts.flatMap(({ needs }) => needs) };
}

function readConcatenation(node: Node): Word {
  const joined = joinWords(node.children.map(readWord));
  return { text: joined.text, needs: [...new Set([...joined.needs, ...patternNeeds(unquoted(node))])] };
}

function patternNeeds(source: string): readonly string[] {
  const bare = source.replace(/\\[\s\S]/g, '_');
  return [
    ...(/[*?]|\[[^\]]*\]/.test(bare) ? ['glob'] : []),
    ...(/\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(bare) ? ['brace'] : []),
    ...(bare.includes('`') || /\$[({]/.test(bare) ? ['substitution'] : []),
  ];
}

/** The parts outside of quotes, as they are written. */
function unquoted(node: Node): string {
  return node.children.map((child) => (child.type === 'word' || !child.isNamed ? child.text : '_')).join('');
}

/** Backslashes go, line ends that they hide too; letters with a meaning to a shell are told. */
function readPlain(source: string): Word {
  const needs = [...(source.startsWith('~') ? ['tilde'] : []), ...patternNeeds(source)];
  return { text: source.replace(/\\\n/g, '').replace(/\\([\s\S])/g, '$1'), needs };
}

function readQuoted(node: Node): Word {
  const special = node.children.filter(({ type }) => type in needOfType);
  if (special.length > 0) return { text: null, needs: special.map(({ type }) => needOfType[type] ?? 'construct') };
  const source = node.text.replace(/^\$/, '').slice(1, -1);
  return { text: source.replace(/\\\n/g, '').replace(/\\(["$`\\])/g, '$1'), needs: [] };
}

const ansiLetters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const ansiEscape = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

function decodeAnsi(source: string): string {
  return source.replace(ansiEscape, (_, hex, short, long, octal, control, letter) => {
    const code = hex ?? short ?? long;
    if (code !== undefined) return fromCode(Number.parseInt(code, 16));
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
    if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
    return ansiLetters[letter] ?? (/["'?\\]/.test(letter) ? letter : `\\${letter}`);
  });
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
