import { matchPattern } from './pattern-match.ts';
import { type PatternNode, parsePattern } from './pattern-parse.ts';

/**
 * Patterns come from the server, so they never become a RegExp of ours: one that backtracks for ever would stop us and not
 * it. They are parsed into a small tree that can be matched with a budget and from which a text can be made.
 */

export interface Pattern {
  /** True also when the budget ran out before it was known. */
  test(text: string): boolean;
  /** A text that fits, of this length or a little more. Null when none was found. */
  make(length: number, pick: (limit: number) => number): string | null;
}

const longestPattern = 2000;
/** Nodes visited for one text; repetitions inside repetitions multiply. */
const longestMade = 16_384;

export function compilePattern(source: string): Pattern | null {
  if (source.length > longestPattern) return null;
  const node = parsePattern(source);
  if (node === null) return null;
  return {
    test: (text) => matchPattern(node, text) !== false,
    make: (length, pick) => makeText(node, length, pick),
  };
}

function makeText(node: PatternNode, length: number, pick: (limit: number) => number): string | null {
  // More of every repetition, until the text is long enough.
  for (let extra = 0; extra <= Math.min(2 * length + 1, 512); extra = extra < 8 ? extra + 1 : extra * 2) {
    const out: number[] = [];
    const writing = { extra, pick, out, steps: longestMade };
    write(node, writing);
    if (writing.steps <= 0) return null;
    const text = String.fromCodePoint(...out);
    if (out.length >= length && matchPattern(node, text) === true) return text;
  }
  return null;
}

interface Writing {
  readonly extra: number;
  readonly pick: (limit: number) => number;
  readonly out: number[];
  steps: number;
}

function write(node: PatternNode, writing: Writing): void {
  writing.steps -= 1;
  if (writing.steps <= 0) return;
  if (node.kind === 'set') {
    const { samples } = node;
    writing.out.push(samples[writing.pick(samples.length)] ?? 0x61);
  } else if (node.kind === 'sequence') {
    for (const part of node.parts) write(part, writing);
  } else if (node.kind === 'choice') {
    const option = node.options[writing.pick(node.options.length)];
    if (option !== undefined) write(option, writing);
  } else if (node.kind === 'repeat') {
    const count = Math.min(node.most, Math.max(node.least, writing.extra === 0 ? 1 : node.least + writing.extra));
    for (let made = 0; made < count && writing.steps > 0; made += 1) write(node.part, writing);
  }
}
