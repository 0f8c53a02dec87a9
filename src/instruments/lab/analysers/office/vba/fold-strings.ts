import { type Token, tokenise } from './tokenise.ts';

/**
 * Works out strings that a macro builds from literals, without running it: joins, Chr, StrReverse, Replace, Xor on
 * numbers, and variables that were given such a string in a line before.
 */

export interface FoldedString {
  readonly line: number;
  readonly value: string;
}

type Value = string | number;

const maximalValue = 64 * 1024;
const maximalResults = 500;
const maximalNames = 2000;
const maximalDepth = 40;

const constants: Readonly<Record<string, string>> = {
  vbcrlf: '\r\n',
  vbnewline: '\r\n',
  vblf: '\n',
  vbcr: '\r',
  vbtab: '\t',
  vbnullstring: '',
  vbnullchar: '\0',
};

const text = (value: Value | undefined): string => String(value ?? '');
const number = (value: Value | undefined): number => (typeof value === 'number' ? value : Number(value ?? Number.NaN));

/** Functions of VBA that give the same for the same arguments. Undefined: not worked out. */
const functions: Readonly<Record<string, (values: readonly Value[]) => Value | undefined>> = {
  chr: ([code]) => character(number(code)),
  chrw: ([code]) => character(number(code)),
  chrb: ([code]) => character(number(code)),
  char: ([code]) => character(number(code)),
  concatenate: (values) => values.map(text).join(''),
  asc: ([value]) => text(value).charCodeAt(0),
  ascw: ([value]) => text(value).charCodeAt(0),
  strreverse: ([value]) => [...text(value)].reverse().join(''),
  lcase: ([value]) => text(value).toLowerCase(),
  ucase: ([value]) => text(value).toUpperCase(),
  trim: ([value]) => text(value).trim(),
  ltrim: ([value]) => text(value).trimStart(),
  rtrim: ([value]) => text(value).trimEnd(),
  len: ([value]) => text(value).length,
  space: ([count]) => repeated(' ', number(count)),
  string: ([count, value]) =>
    repeated(typeof value === 'number' ? (character(value) ?? '') : text(value).slice(0, 1), number(count)),
  left: ([value, count]) => text(value).slice(0, Math.max(number(count), 0)),
  right: ([value, count]) => (number(count) > 0 ? text(value).slice(-number(count)) : ''),
  mid: ([value, from, count]) =>
    text(value).slice(
      Math.max(number(from) - 1, 0),
      count === undefined ? undefined : Math.max(number(from) - 1 + number(count), 0),
    ),
  replace: ([value, what, by]) => (text(what) === '' ? value : text(value).replaceAll(text(what), () => text(by))),
  cstr: ([value]) => text(value),
  cint: ([value]) => number(value),
  clng: ([value]) => number(value),
  cbyte: ([value]) => number(value),
  val: ([value]) => number(value),
  hex: ([value]) => number(value).toString(16).toUpperCase(),
  instr: () => undefined,
};

function character(code: number): string | undefined {
  return Number.isInteger(code) && code >= 0 && code <= 0xffff ? String.fromCharCode(code) : undefined;
}

function repeated(value: string, count: number): string | undefined {
  return Number.isInteger(count) && count >= 0 && count * value.length <= maximalValue
    ? value.repeat(count)
    : undefined;
}

const operators: Readonly<
  Record<string, { readonly rank: number; readonly join: (left: Value, right: Value) => Value | undefined }>
> = {
  '&': { rank: 2, join: (left, right) => text(left) + text(right) },
  '+': {
    rank: 3,
    join: (left, right) =>
      typeof left === 'number' && typeof right === 'number' ? left + right : text(left) + text(right),
  },
  '-': { rank: 3, join: numeric((left, right) => left - right) },
  '*': { rank: 5, join: numeric((left, right) => left * right) },
  '/': { rank: 5, join: numeric((left, right) => left / right) },
  '\\': { rank: 4, join: numeric((left, right) => Math.trunc(left / right)) },
  mod: { rank: 4, join: numeric((left, right) => left % right) },
  xor: { rank: 1, join: numeric((left, right) => left ^ right) },
};

function numeric(work: (left: number, right: number) => number): (left: Value, right: Value) => Value | undefined {
  return (left, right) => {
    const result = typeof left === 'number' && typeof right === 'number' ? work(left, right) : Number.NaN;
    return Number.isFinite(result) ? result : undefined;
  };
}

interface Folding {
  readonly tokens: readonly Token[];
  at: number;
  /** Operations done: a literal that stands alone is no news. */
  work: number;
  readonly names: ReadonlyMap<string, Value>;
}

function primary(state: Folding, depth: number): Value | undefined {
  const token = state.tokens[state.at];
  if (token === undefined || depth > maximalDepth) return undefined;
  if (token.type === 'string' || token.type === 'number') {
    state.at += 1;
    return token.value;
  }
  if (token.type === 'sign' && token.value === '-') {
    state.at += 1;
    const value = primary(state, depth + 1);
    return typeof value === 'number' ? -value : undefined;
  }
  if (token.type === 'sign' && token.value === '(') {
    state.at += 1;
    const value = expression(state, 0, depth + 1);
    if (state.tokens[state.at]?.value !== ')') return undefined;
    state.at += 1;
    return value;
  }
  if (token.type !== 'word') return undefined;
  const name = token.value
    .toLowerCase()
    .replace(/\$$/, '')
    .replace(/^vba\./, '');
  state.at += 1;
  const constant = constants[name];
  if (constant !== undefined) return constant;
  if (state.tokens[state.at]?.value !== '(') return state.names.get(name);
  return Object.hasOwn(functions, name) ? call(state, name, depth) : undefined;
}

function call(state: Folding, name: string, depth: number): Value | undefined {
  state.at += 1;
  const values: Value[] = [];
  while (values.length < 8) {
    const value = expression(state, 0, depth + 1);
    if (value === undefined) return undefined;
    values.push(value);
    const next = state.tokens[state.at]?.value;
    state.at += 1;
    if (next === ')') {
      state.work += 1;
      return functions[name]?.(values);
    }
    if (next !== ',') return undefined;
  }
  return undefined;
}

function expression(state: Folding, least: number, depth: number): Value | undefined {
  let left = primary(state, depth);
  while (left !== undefined) {
    const sign = state.tokens[state.at];
    const operator = sign?.type === 'string' ? undefined : operators[String(sign?.value).toLowerCase()];
    if (operator === undefined || operator.rank < least) return left;
    const before = state.at;
    state.at += 1;
    const right = expression(state, operator.rank + 1, depth + 1);
    // What was joined up to here is known, whatever comes next.
    if (right === undefined) {
      state.at = before;
      return left;
    }
    state.work += 1;
    const joined: Value | undefined = operator.join(left, right);
    if (typeof joined === 'string' && joined.length > maximalValue) return undefined;
    left = joined;
  }
  return left;
}

/** Lines that end in ` _` go on in the next one. */
function logicalLines(source: string): { line: number; text: string }[] {
  const lines: { line: number; text: string }[] = [];
  let open: { line: number; text: string } | null = null;
  source.split(/\r\n|\n|\r/).forEach((part, index) => {
    const isOpen: boolean = / _\s*$/.test(part.slice(-8));
    const own = isOpen ? part.replace(/_\s*$/, '') : part;
    if (open === null) open = { line: index + 1, text: own };
    else open.text += own;
    if (!isOpen || open.text.length > maximalValue) {
      lines.push(open);
      open = null;
    }
  });
  if (open !== null) lines.push(open);
  return lines;
}

function assigned(tokens: readonly Token[]): string | null {
  const start = ['let', 'set', 'const'].includes(String(tokens[0]?.value).toLowerCase()) ? 1 : 0;
  const isAssignment = tokens[start]?.type === 'word' && tokens[start + 1]?.value === '=';
  return isAssignment ? String(tokens[start]?.value).toLowerCase().replace(/\$$/, '') : null;
}

export function foldStrings(source: string, tick: () => void): FoldedString[] {
  const names = new Map<string, Value>();
  const grown = new Map<string, FoldedString>();
  const found: FoldedString[] = [];
  let budget = 4 * 1024 * 1024;
  for (const { line, text: lineText } of logicalLines(source)) {
    tick();
    const tokens = tokenise(lineText);
    const name = assigned(tokens);
    for (let at = 0; at < tokens.length && budget > 0; ) {
      const state: Folding = { tokens, at, work: 0, names };
      const value = expression(state, 0, 0);
      const isAll = state.at >= tokens.length;
      budget -= 16 + (typeof value === 'string' ? value.length : 0);
      const isTarget = name !== null && tokens[at - 1]?.value === '=' && at <= 3;
      if (isTarget) {
        // A variable is known only while all that was given to it is.
        if (value !== undefined && isAll && names.size < maximalNames) names.set(name, value);
        else names.delete(name);
      }
      if (typeof value === 'string' && state.work > 0 && value.length >= 3) {
        const result = { line, value };
        if (isTarget) grown.set(name, result);
        else if (found.length < maximalResults) found.push(result);
      }
      at = state.at > at && value !== undefined ? state.at : at + 1;
    }
  }
  // Of a variable that grows line by line only what it became is worth keeping.
  const all = [...found, ...grown.values()].toSorted((left, right) => left.line - right.line);
  const seen = new Set<string>();
  return all.filter(({ value }) => !seen.has(value) && seen.add(value)).slice(0, maximalResults);
}
