import type { HandOver, Program } from '../rules.ts';
import { parseLine } from '../shell/parse-line.ts';
import type { Look } from './look.ts';
import type { ReadWords } from './read-options.ts';
import { judgeVariable } from './variables.ts';

/** Programs that start other programs: where in their words the other one is. */

interface Handing {
  readonly program: Program;
  readonly words: readonly string[];
  readonly read: ReadWords;
  readonly way: readonly string[];
  readonly look: Look;
}

const assignment = /^[A-Za-z_]\w*=/;

export function noteVariable(word: string, words: readonly string[], look: Look): void {
  const verdict = judgeVariable(word);
  if (verdict === 'harmful') look.found.hit('loader-variable', words);
  else if (verdict === 'noted') look.found.note('this variable changes where code is looked for', words);
}

function valuesOf({ options }: ReadWords, names: readonly string[]): readonly string[] {
  return options.flatMap(({ name, value }) => (names.includes(name) && value !== null ? [value] : []));
}

function wasGiven({ options }: ReadWords, names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** What a package manager starts is a package; only a plain name can be a program as well. */
function isProgramName({ operands }: Program, name: string): boolean {
  return operands.every((rule) => rule.package === undefined) || /^[\w.+-]+$/.test(name);
}

function handOperands(rule: HandOver, { program, read, way, look }: Handing): void {
  let inner = read.operands.slice(rule.skip);
  const [named] = valuesOf(read, rule.program);
  if (named !== undefined) inner = [named, ...inner];
  if (rule.assignments) {
    const start = inner.findIndex((word) => !assignment.test(word));
    const count = start === -1 ? inner.length : start;
    for (const word of inner.slice(0, count)) noteVariable(word, [...way, word], look);
    inner = inner.slice(count);
  }
  if (inner.length > 0 && isProgramName(program, inner[0] ?? '')) look.words(inner, way);
}

const ways: { readonly [Kind in HandOver['is']]: (rule: HandOver, handing: Handing) => void } = {
  operands: handOperands,
  'line-operand': (rule, { read, way, look }) => {
    const [line] = read.operands;
    if (line !== undefined && wasGiven(read, rule.when)) look.line(line, [...way, ...rule.when]);
  },
  'line-value': (rule, { read, way, look }) => {
    for (const line of valuesOf(read, rule.when)) look.line(line, way);
  },
  lines: (_, { read, way, look }) => {
    for (const line of read.operands.filter((word) => /\s/.test(word))) look.line(line, way);
  },
  'joined-line': (_, { read, way, look }) => {
    if (read.operands.length > 0) look.line(read.operands.join(' '), way);
  },
  split: (rule, { read, way, look }) => {
    for (const text of valuesOf(read, rule.when)) {
      const [first] = parseLine(text).commands;
      const words = [...(first?.assignments ?? []), ...(first?.words ?? [])].map(({ value }) => value);
      if (words.length > 0) look.words([way[0] ?? 'env', ...words, ...read.operands], []);
    }
  },
  after: (rule, { words, way, look }) => {
    for (let at = 0; at < words.length; at += 1) {
      if (!rule.when.includes(words[at] ?? '')) continue;
      const end = words.findIndex((word, index) => index > at && (word === ';' || word === '+'));
      const inner = words.slice(at + 1, end === -1 ? undefined : end);
      if (inner.length > 0) look.words(inner, [...way, words[at] ?? '']);
    }
  },
  module: (rule, { read, way, look }) => {
    const [module] = valuesOf(read, rule.when);
    if (module !== undefined && /^[\w.]+$/.test(module)) look.words([module, ...read.operands], [...way, '-m']);
  },
  dashes: (_, { words, way, look }) => {
    const at = words.indexOf('--');
    if (at !== -1 && at + 1 < words.length) look.words(words.slice(at + 1), [...way, '--']);
  },
};

export function handOver(handing: Handing): void {
  for (const rule of handing.program.handsOver) ways[rule.is](rule, handing);
}
