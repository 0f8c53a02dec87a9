/** The part of regular expressions that schemas use. Look-around, back-references and property classes are not in it. */

export type PatternNode =
  | { readonly kind: 'set'; readonly has: (code: number) => boolean; readonly samples: readonly number[] }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' };

type Range = readonly [from: number, to: number];

const digits: readonly Range[] = [[48, 57]];
const words: readonly Range[] = [
  [97, 122],
  [48, 57],
  [65, 90],
  [95, 95],
];
const spaces: readonly Range[] = [
  [32, 32],
  [9, 13],
  [160, 160],
];
const classes: Readonly<Record<string, readonly Range[]>> = { d: digits, w: words, s: spaces };
const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 };

/** What a set is sampled from, in the order in which it looks natural. */
const natural = [...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-./ :@+,#'].map(codeOf);

class Unsupported extends Error {}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function inRanges(ranges: readonly Range[], code: number): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}

function setOf(ranges: readonly Range[], isNegated: boolean): PatternNode {
  const has = (code: number): boolean => inRanges(ranges, code) !== isNegated;
  const samples = natural.filter(has).slice(0, 26);
  const first = isNegated ? undefined : ranges[0]?.[0];
  const fallback = [first, 0x21, 0x20, 0xe9, 0x4e2d].filter((code) => code !== undefined).filter(has);
  const usable = samples.length > 0 ? samples : fallback.slice(0, 1);
  if (usable.length === 0) throw new Unsupported();
  return { kind: 'set', has, samples: usable };
}

class Reader {
  readonly #text: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#text = [...source];
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #next(): string {
    const character = this.#peek();
    this.#at += 1;
    return character;
  }

  #take(expected: string): boolean {
    if (this.#peek() !== expected || this.isDone) return false;
    this.#at += 1;
    return true;
  }

  choice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > 40) throw new Unsupported();
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth -= 1;
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.isDone && this.#peek() !== '|' && this.#peek() !== ')') parts.push(this.#quantified());
    return { kind: 'sequence', parts };
  }

  #quantified(): PatternNode {
    const part = this.#atom();
    const bounds = this.#quantifier();
    if (bounds === null) return part;
    this.#take('?');
    if ('*+{'.includes(this.#peek()) && this.#peek() !== '') throw new Unsupported();
    return { kind: 'repeat', part, least: bounds[0], most: bounds[1] };
  }

  #quantifier(): Range | null {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (this.#peek() !== '{') return null;
    const end = this.#text.indexOf('}', this.#at);
    const [, least, comma, most] = /^\{(\d{1,5})(,?)(\d{0,5})$/.exec(this.#text.slice(this.#at, end).join('')) ?? [];
    if (end === -1 || least === undefined) return null;
    this.#at = end + 1;
    if (comma === '') return [Number(least), Number(least)];
    return [Number(least), most === '' || most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === '^') return { kind: 'start' };
    if (character === '$') return { kind: 'end' };
    if (character === '.')
      return setOf(
        [
          [10, 10],
          [13, 13],
          [0x2028, 0x2029],
        ],
        true,
      );
    if (character === '(') return this.#group();
    if (character === '[') return this.#set();
    if ('*+?'.includes(character)) throw new Unsupported();
    if (character !== '\\') return setOf([[codeOf(character), codeOf(character)]], false);
    const [ranges, isNegated] = this.#escape();
    return setOf(ranges, isNegated);
  }

  #group(): PatternNode {
    if (this.#take('?')) {
      if (this.#take('<')) {
        if ('=!'.includes(this.#peek())) throw new Unsupported();
        while (!this.isDone && this.#next() !== '>');
      } else if (!this.#take(':')) throw new Unsupported();
    }
    const node = this.choice();
    if (!this.#take(')')) throw new Unsupported();
    return node;
  }

  #escape(): readonly [ranges: readonly Range[], isNegated: boolean] {
    const letter = this.#next();
    const known = classes[letter.toLowerCase()];
    if (known !== undefined && /[dws]/i.test(letter)) return [known, letter !== letter.toLowerCase()];
    const code = controls[letter] ?? this.#hexadecimal(letter);
    if (code !== null) return [[[code, code]], false];
    if (letter === '' || /[a-zA-Z1-9]/.test(letter)) throw new Unsupported();
    return [[[codeOf(letter), codeOf(letter)]], false];
  }

  #hexadecimal(letter: string): number | null {
    const forms: Readonly<Record<string, RegExp>> = {
      x: /^([0-9a-f]{2})/i,
      u: /^(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/i,
    };
    const found = forms[letter]?.exec(this.#text.slice(this.#at, this.#at + 8).join(''));
    if (found === undefined || found === null) return null;
    this.#at += found[0].length;
    const code = Number.parseInt(found[1] ?? found[2] ?? '', 16);
    if (code > 0x10ffff) throw new Unsupported();
    return code;
  }

  #set(): PatternNode {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    while (!this.#take(']')) {
      if (this.isDone) throw new Unsupported();
      const from = this.#setPart();
      const isSpan = this.#peek() === '-' && this.#text[this.#at + 1] !== ']' && from.length === 1;
      if (!isSpan) {
        ranges.push(...from);
        continue;
      }
      this.#next();
      const to = this.#setPart();
      ranges.push([from[0]?.[0] ?? 0, to[0]?.[1] ?? 0]);
    }
    return setOf(ranges, isNegated);
  }

  #setPart(): readonly Range[] {
    const character = this.#next();
    if (character === '') throw new Unsupported();
    if (character !== '\\') return [[codeOf(character), codeOf(character)]];
    if (this.#take('b')) return [[8, 8]];
    const [ranges, isNegated] = this.#escape();
    if (isNegated) throw new Unsupported();
    return ranges;
  }
}

export function parsePattern(source: string): PatternNode | null {
  try {
    const reader = new Reader(source);
    const node = reader.choice();
    return reader.isDone ? node : null;
  } catch (cause) {
    if (cause instanceof Unsupported) return null;
    throw cause;
  }
}
