/** As much of the language of GraphQL as audits write. Bounded in depth and length. */

export interface FieldNode {
  readonly kind: 'field';
  readonly name: string;
  readonly alias: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly selections: readonly Selection[] | null;
}

export interface SpreadNode {
  readonly kind: 'spread';
  /** Of a named fragment; null when the fragment stands here itself. */
  readonly name: string | null;
  readonly on: string | null;
  readonly selections: readonly Selection[];
}

export type Selection = FieldNode | SpreadNode;

export interface Fragment {
  readonly on: string;
  readonly selections: readonly Selection[];
}

export interface Operation {
  readonly type: string;
  readonly name: string | null;
  readonly selections: readonly Selection[];
}

export interface ParsedQuery {
  readonly operations: readonly Operation[];
  readonly fragments: ReadonlyMap<string, Fragment>;
  /** Deepest nesting of fields, and how often a field was given another name: what a sound server limits. */
  readonly depth: number;
  readonly aliases: number;
  readonly tokens: number;
}

const token =
  /[\s,\uFEFF]+|#[^\n\r]*|(\.\.\.|[!$&():=@[\]{|}]|[_A-Za-z]\w*|-?\d+(?:\.\d+)?|"""[^"]*"""|"(?:[^"\\\n]|\\.)*")|./gy;
const mostTokens = 100_000;
const deepest = 1000;

export class SyntaxFault extends Error {}

function split(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const [whole, meaning] of text.matchAll(token)) {
    if (meaning !== undefined) tokens.push(meaning);
    else if (!/^[\s,\uFEFF#]/.test(whole)) throw new SyntaxFault(`Syntax Error: Unexpected character: ${whole}`);
    if (tokens.length > mostTokens) throw new SyntaxFault('Syntax Error: too many tokens');
  }
  return tokens;
}

class Parser {
  readonly tokens: readonly string[];
  at = 0;
  depth = 0;
  aliases = 0;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  get here(): string {
    return this.tokens[this.at] ?? '<EOF>';
  }

  next(): string {
    const here = this.here;
    this.at += 1;
    return here;
  }

  skip(wanted: string): boolean {
    const is = this.here === wanted;
    if (is) this.at += 1;
    return is;
  }

  expect(wanted: string): void {
    if (!this.skip(wanted)) throw new SyntaxFault(`Syntax Error: Expected "${wanted}", found ${this.here}.`);
  }

  name(): string {
    if (!/^[_A-Za-z]/.test(this.here)) throw new SyntaxFault(`Syntax Error: Expected Name, found ${this.here}.`);
    return this.next();
  }

  value(level = 0): unknown {
    if (level > deepest) throw new SyntaxFault('Syntax Error: too deep');
    const first = this.next();
    if (first === '$') return { variable: this.name() };
    if (first === '[') {
      const list: unknown[] = [];
      while (!this.skip(']')) list.push(this.value(level + 1));
      return list;
    }
    if (first === '{') {
      const entries: [string, unknown][] = [];
      while (!this.skip('}')) {
        const key = this.name();
        this.expect(':');
        entries.push([key, this.value(level + 1)]);
      }
      return Object.fromEntries(entries);
    }
    if (first.startsWith('"')) return first.replace(/^"+|"+$/g, '');
    if (/^-?\d/.test(first)) return Number(first);
    if (/^[_A-Za-z]/.test(first)) return { true: true, false: false, null: null }[first] ?? first;
    throw new SyntaxFault(`Syntax Error: Unexpected ${first}.`);
  }

  arguments(): Readonly<Record<string, unknown>> {
    const entries: [string, unknown][] = [];
    if (this.skip('(')) {
      while (!this.skip(')')) {
        const key = this.name();
        this.expect(':');
        entries.push([key, this.value()]);
      }
    }
    return Object.fromEntries(entries);
  }

  directives(): void {
    while (this.skip('@')) {
      this.name();
      this.arguments();
    }
  }

  selections(level: number): readonly Selection[] {
    if (level > deepest) throw new SyntaxFault('Syntax Error: too deep');
    this.depth = Math.max(this.depth, level);
    this.expect('{');
    const found: Selection[] = [];
    while (!this.skip('}')) found.push(this.skip('...') ? this.spread(level) : this.field(level));
    if (found.length === 0) throw new SyntaxFault('Syntax Error: Expected Name, found "}".');
    return found;
  }

  spread(level: number): SpreadNode {
    const isNamed = /^[_A-Za-z]/.test(this.here) && this.here !== 'on';
    if (isNamed) {
      const name = this.name();
      this.directives();
      return { kind: 'spread', name, on: null, selections: [] };
    }
    const on = this.skip('on') ? this.name() : null;
    this.directives();
    return { kind: 'spread', name: null, on, selections: this.selections(level) };
  }

  field(level: number): FieldNode {
    const first = this.name();
    const isAliased = this.skip(':');
    if (isAliased) this.aliases += 1;
    const name = isAliased ? this.name() : first;
    const given = this.arguments();
    this.directives();
    const selections = this.here === '{' ? this.selections(level + 1) : null;
    return { kind: 'field', name, alias: isAliased ? first : null, arguments: given, selections };
  }

  /** `($id: ID! = 1)`: read over, since every value is taken as it is. */
  variables(): void {
    if (!this.skip('(')) return;
    for (let open = 1; open > 0; ) {
      const here = this.next();
      if (here === '<EOF>') throw new SyntaxFault('Syntax Error: Expected ")", found <EOF>.');
      if (here === '(') open += 1;
      if (here === ')') open -= 1;
    }
  }
}

const kinds = new Set(['query', 'mutation', 'subscription']);

export function parseQuery(text: string): ParsedQuery {
  const parser = new Parser(split(text));
  const operations: Operation[] = [];
  const fragments = new Map<string, Fragment>();
  while (parser.at < parser.tokens.length) {
    if (parser.skip('fragment')) {
      const name = parser.name();
      parser.expect('on');
      const on = parser.name();
      parser.directives();
      fragments.set(name, { on, selections: parser.selections(1) });
      continue;
    }
    const type = kinds.has(parser.here) ? parser.next() : 'query';
    const name = /^[_A-Za-z]/.test(parser.here) ? parser.name() : null;
    parser.variables();
    parser.directives();
    operations.push({ type, name, selections: parser.selections(1) });
  }
  if (operations.length === 0) throw new SyntaxFault('Syntax Error: Unexpected <EOF>.');
  const { depth, aliases, tokens } = parser;
  return { operations, fragments, depth, aliases, tokens: tokens.length };
}
