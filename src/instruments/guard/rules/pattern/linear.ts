import { type PatternNode, parsePattern } from './parse.ts';

/**
 * Matches a regular expression in one pass over the text, however it is written: all ways it could go are followed at
 * once, so none has to be tried again. What cannot be matched so is not matched at all.
 */

export interface LinearPattern {
  /** Null when the text is too long for this expression to be tried. */
  test(text: string): boolean | null;
}

type State =
  | { readonly kind: 'character'; readonly fits: (character: string) => boolean; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'anchor'; readonly source: string; next: number }
  | { readonly kind: 'end' };

const longestSource = 2000;
const mostStates = 2000;
/** States times characters. */
const mostSteps = 10_000_000;

class Unsupported extends Error {}

function fitsOf(source: string): (character: string) => boolean {
  // One character against one class: nothing in it can be repeated.
  const one = new RegExp(`^(?:${source})$`, 'u');
  const known = new Map<string, boolean>();
  return (character) => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const fits = one.test(character);
    if (known.size < 512) known.set(character, fits);
    return fits;
  };
}

class Builder {
  readonly states: State[] = [];

  /** Gives the state to begin with, for what leads on to `next`. Built from the end. */
  build(node: PatternNode, next: number): number {
    if (node.kind === 'set') return this.#add({ kind: 'character', fits: fitsOf(node.source), next });
    if (node.kind === 'anchor') return this.#add({ kind: 'anchor', source: node.source, next });
    if (node.kind === 'sequence') return node.parts.reduceRight((after, part) => this.build(part, after), next);
    if (node.kind === 'choice')
      return node.options
        .map((option) => this.build(option, next))
        .reduceRight((other, first) => this.#add({ kind: 'split', next: first, other }));
    if (node.kind === 'look') throw new Unsupported();
    return this.#repeat(node.part, node.least, node.most, next);
  }

  #repeat(part: PatternNode, least: number, most: number, next: number): number {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = { kind: 'split', next: 0, other: next } as const;
      const at = this.#add({ ...loop });
      const inside = this.build(part, at);
      const state = this.states[at];
      if (state?.kind === 'split') state.next = inside;
      start = at;
    } else
      for (let count = least; count < most; count += 1)
        start = this.#add({ kind: 'split', next: this.build(part, start), other: next });
    for (let count = 0; count < least; count += 1) start = this.build(part, start);
    return start;
  }

  #add(state: State): number {
    if (this.states.length >= mostStates) throw new Unsupported();
    return this.states.push(state) - 1;
  }

  end(): number {
    return this.#add({ kind: 'end' });
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);

function holds(source: string, before: string | undefined, after: string | undefined): boolean {
  if (source === '^') return before === undefined;
  if (source === '$') return after === undefined;
  return (isWord(before) !== isWord(after)) === (source === '\\b');
}

class Linear implements LinearPattern {
  readonly #states: readonly State[];
  readonly #start: number;

  constructor(states: readonly State[], start: number) {
    this.#states = states;
    this.#start = start;
  }

  test(text: string): boolean | null {
    const characters = [...text];
    if (characters.length * this.#states.length > mostSteps) return null;
    let current = new Set<number>();
    for (let at = 0; at <= characters.length; at += 1) {
      // A match may begin anywhere.
      if (this.#follow(this.#start, current, characters[at - 1], characters[at])) return true;
      const next = new Set<number>();
      const character = characters[at];
      if (character === undefined) return false;
      for (const index of current) {
        const state = this.#states[index];
        if (state?.kind !== 'character' || !state.fits(character)) continue;
        if (this.#follow(state.next, next, character, characters[at + 1])) return true;
      }
      current = next;
    }
    return false;
  }

  /** Adds everything that is reached without taking a character. True when that is the end. */
  #follow(start: number, into: Set<number>, before: string | undefined, after: string | undefined): boolean {
    const waiting = [start];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (into.has(index)) continue;
      into.add(index);
      const state = this.#states[index];
      if (state === undefined || state.kind === 'character') continue;
      if (state.kind === 'end') return true;
      if (state.kind === 'split') waiting.push(state.other, state.next);
      else if (holds(state.source, before, after)) waiting.push(state.next);
    }
    return false;
  }
}

/** Null where it uses what cannot be matched in one pass, is broken, or is too large. */
export function compileLinear(source: string): LinearPattern | null {
  const node = source.length > longestSource ? null : parsePattern(source);
  if (node === null) return null;
  try {
    const builder = new Builder();
    const end = builder.end();
    const start = builder.build(node, end);
    return new Linear(builder.states, start);
  } catch {
    return null;
  }
}
