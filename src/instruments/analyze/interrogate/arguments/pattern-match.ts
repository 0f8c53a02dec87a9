import type { PatternNode } from './pattern-parse.ts';

/** Matching by trying, with a budget of steps: null when it ran out. Repetitions of nothing end at once. */

const mostSteps = 20_000;
const deepest = 2000;

interface Attempt {
  readonly codes: readonly number[];
  steps: number;
  depth: number;
}

type Then = (at: number) => boolean;

class OutOfSteps extends Error {}

function match(node: PatternNode, at: number, attempt: Attempt, then: Then): boolean {
  attempt.steps -= 1;
  attempt.depth += 1;
  if (attempt.steps <= 0 || attempt.depth > deepest) throw new OutOfSteps();
  const isMatch = step(node, at, attempt, then);
  attempt.depth -= 1;
  return isMatch;
}

function step(node: PatternNode, at: number, attempt: Attempt, then: Then): boolean {
  if (node.kind === 'start') return at === 0 && then(at);
  if (node.kind === 'end') return at === attempt.codes.length && then(at);
  if (node.kind === 'set') {
    const code = attempt.codes[at];
    return code !== undefined && node.has(code) && then(at + 1);
  }
  if (node.kind === 'choice') return node.options.some((option) => match(option, at, attempt, then));
  if (node.kind === 'sequence') return matchParts(node.parts, 0, at, attempt, then);
  return matchRepeat(node, 0, at, attempt, then);
}

function matchParts(parts: readonly PatternNode[], index: number, at: number, attempt: Attempt, then: Then): boolean {
  const part = parts[index];
  if (part === undefined) return then(at);
  return match(part, at, attempt, (next) => matchParts(parts, index + 1, next, attempt, then));
}

type Repeat = Extract<PatternNode, { kind: 'repeat' }>;

function matchRepeat(node: Repeat, done: number, at: number, attempt: Attempt, then: Then): boolean {
  if (done < node.most) {
    const isMatch = match(node.part, at, attempt, (next) => {
      const isEmpty = next === at;
      if (isEmpty && done >= node.least) return false;
      return matchRepeat(node, isEmpty ? Math.max(done + 1, node.least) : done + 1, next, attempt, then);
    });
    if (isMatch) return true;
  }
  return done >= node.least && then(at);
}

/** Whether the pattern is found anywhere in the text. */
export function matchPattern(node: PatternNode, text: string): boolean | null {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const attempt: Attempt = { codes, steps: mostSteps, depth: 0 };
  try {
    for (let at = 0; at <= codes.length; at += 1) {
      attempt.depth = 0;
      if (match(node, at, attempt, () => true)) return true;
    }
    return false;
  } catch (cause) {
    if (cause instanceof OutOfSteps) return null;
    throw cause;
  }
}
