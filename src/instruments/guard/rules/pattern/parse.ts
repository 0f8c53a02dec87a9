/**
 * Regular expressions as a tree: to know which words a match must have in it, and to match without ever going back.
 * Null where something is used that has no such tree: references to groups, and syntax that is broken.
 */

export type PatternNode =
  /** One character. `options` are all that fit, where they are few. */
  | { readonly kind: 'set'; readonly source: string; readonly options: readonly string[] | null }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly least: number; readonly most: number }
  /** `^`, `$`, `\b`, `\B` */
  | { readonly kind: 'anchor'; readonly source: string }
  /** Looks ahead or behind and takes nothing. */
  | { readonly kind: 'look' };

const deepest = 64;
const fewOptions = 16;
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' };

class Broken extends Error {}

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw new Broken();
    return node;
  }

  #choice(): PatternNode {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Broken();
    const options = [this.#sequence()];
    while (this.#takeIf('|')) options.push(this.#sequence());
    this.#depth -= 1;
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !')|'.includes(this.#source[this.#at] ?? '')) parts.push(this.#repeated());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts };
  }

  #repeated(): PatternNode {
    const part = this.#single();
    const quantifier = /^(?:([*+?])|\{(\d{1,5})(,(\d{0,5}))?\})\??/.exec(this.#source.slice(this.#at, this.#at + 16));
    if (quantifier === null) return part;
    if (part.kind === 'anchor') throw new Broken();
    this.#at += quantifier[0].length;
    const [, sign, low = '0', hasMost, high = ''] = quantifier;
    const least = sign === undefined ? Number(low) : sign === '+' ? 1 : 0;
    const counted = hasMost === undefined ? least : high === '' ? Number.POSITIVE_INFINITY : Number(high);
    const most = sign === undefined ? counted : sign === '?' ? 1 : Number.POSITIVE_INFINITY;
    if (most < least) throw new Broken();
    return { kind: 'repeat', part, least, most };
  }

  #single(): PatternNode {
    const character = this.#next();
    if (character === '(') return this.#group();
    if (character === '[') return this.#class();
    if (character === '\\') return this.#escape();
    if (character === '^' || character === '$') return { kind: 'anchor', source: character };
    if (character === '.') return { kind: 'set', source: '.', options: null };
    if ('*+?)'.includes(character)) throw new Broken();
    return literal(character);
  }

  #group(): PatternNode {
    const opening = /^\?(?:(:)|(<?[=!])|<[A-Za-z_]\w*>)/.exec(this.#source.slice(this.#at, this.#at + 80));
    if (opening === null && this.#source[this.#at] === '?') throw new Broken();
    this.#at += opening?.[0].length ?? 0;
    const inside = this.#choice();
    if (!this.#takeIf(')')) throw new Broken();
    return opening?.[2] === undefined ? inside : { kind: 'look' };
  }

  #class(): PatternNode {
    const start = this.#at - 1;
    if (this.#source[this.#at] === '^') this.#at += 1;
    while (this.#source[this.#at] !== ']') if (this.#next() === '\\') this.#next();
    this.#at += 1;
    const source = this.#source.slice(start, this.#at);
    return { kind: 'set', source, options: optionsOf(source) };
  }

  #escape(): PatternNode {
    const character = this.#next();
    if (character === 'b' || character === 'B') return { kind: 'anchor', source: `\\${character}` };
    if (/[1-9k]/.test(character)) throw new Broken();
    if (/[dDwWsS]/.test(character)) return { kind: 'set', source: `\\${character}`, options: null };
    const rest = /^(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[\w=]{1,60}\})/.exec(
      this.#source.slice(this.#at - 1, this.#at + 70),
    )?.[0];
    if (rest !== undefined) {
      this.#at += rest.length - 1;
      if (/^[pP]/.test(rest)) return { kind: 'set', source: `\\${rest}`, options: null };
      return literal(String.fromCodePoint(Number.parseInt(rest.replace(/[^0-9a-fA-F]/g, ''), 16)));
    }
    if (/[A-Za-z]/.test(character) && controls[character] === undefined) throw new Broken();
    return literal(controls[character] ?? character);
  }

  #next(): string {
    const code = this.#source.codePointAt(this.#at);
    if (code === undefined) throw new Broken();
    const character = String.fromCodePoint(code);
    this.#at += character.length;
    return character;
  }

  #takeIf(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

function literal(character: string): PatternNode {
  const source = /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
  return { kind: 'set', source, options: [character] };
}

/** The members of a class, where they are written one by one or in short ranges. */
function optionsOf(source: string): readonly string[] | null {
  const inside = source.slice(1, -1);
  if (inside.startsWith('^') || /\\[^\\\-.\]/+]/.test(inside)) return null;
  const members = [...inside.replace(/\\(.)/g, '$1')];
  const options: string[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const first = members[at] ?? '';
    const last = members[at + 1] === '-' ? members[at + 2] : undefined;
    if (last === undefined) options.push(first);
    else {
      for (let code = first.codePointAt(0) ?? 0; code <= (last.codePointAt(0) ?? 0); code += 1) {
        options.push(String.fromCodePoint(code));
        if (options.length > fewOptions) return null;
      }
      at += 2;
    }
  }
  return options.length === 0 || options.length > fewOptions ? null : options;
}

export function parsePattern(source: string): PatternNode | null {
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (error instanceof Broken) return null;
    throw error;
  }
}
