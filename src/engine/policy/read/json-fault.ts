import { UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/**
 * Finds where a text stops being JSON, or says the same thing twice. JSON.parse names no place in some cases and keeps
 * the last of two equal keys in silence, which in a policy would hide a rule.
 */

export interface JsonFault {
  readonly position: number;
  readonly what: string;
}

const deepest = 64;
const blank = /[ \t\n\r]*/y;
const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const quoted = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Fault extends Error {
  readonly position: number;

  constructor(position: number, what: string) {
    super(what);
    this.position = position;
  }
}

/** Reads by moving a position through the text; the first thing out of place ends it. */
class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #peek(): string {
    this.#match(blank);
    return this.#text.charAt(this.#at);
  }

  #fail(expected: string): never {
    const next = this.#text.charAt(this.#at);
    throw new Fault(this.#at, `expected ${expected}, found ${next === '' ? 'the end' : JSON.stringify(next)}`);
  }

  #take(sign: string): boolean {
    if (this.#peek() !== sign) return false;
    this.#at += 1;
    return true;
  }

  #key(keys: Set<string>): void {
    this.#peek();
    const start = this.#at;
    const text = this.#match(quoted) ?? this.#fail('a key in double quotes');
    const key = JSON.parse(text) as string;
    if (keys.has(key)) throw new Fault(start, `the key ${text.slice(0, 80)} stands twice in one object`);
    keys.add(key);
    if (!this.#take(':')) this.#fail('":"');
  }

  #items(end: string, readItem: () => void): void {
    if (this.#take(end)) return;
    do readItem();
    while (this.#take(','));
    if (!this.#take(end)) this.#fail(`"," or "${end}"`);
  }

  value(depth: number): void {
    if (depth > deepest) throw new Fault(this.#at, `nested deeper than ${deepest}`);
    const first = this.#peek();
    if (this.#take('{')) {
      const keys = new Set<string>();
      this.#items('}', () => {
        this.#key(keys);
        this.value(depth + 1);
      });
    } else if (this.#take('[')) this.#items(']', () => this.value(depth + 1));
    else if (first === '"') this.#match(quoted) ?? this.#fail('text that ends with a double quote');
    else this.#match(literal) ?? this.#fail('a value');
  }

  end(): void {
    if (this.#peek() !== '') this.#fail('the end');
  }
}

export function findJsonFault(text: string): JsonFault | null {
  const reader = new Reader(text);
  try {
    reader.value(0);
    reader.end();
    return null;
  } catch (error) {
    if (error instanceof Fault) return { position: error.position, what: error.message };
    throw error;
  }
}

/** Both counted from 1. */
export function lineAndColumn(text: string, position: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * What a file of JSON holds; `title` says which one.
 * @throws UsageError with the place of the first fault; what stands there is somebody else's text.
 */
export function parseJson(text: string, title: string): unknown {
  const fault = findJsonFault(text);
  if (fault === null) return JSON.parse(text);
  const { line, column } = lineAndColumn(text, fault.position);
  const what = forTerminal(untrusted(fault.what));
  throw new UsageError(`${title} is not JSON: line ${line}, column ${column}: ${what}`);
}
