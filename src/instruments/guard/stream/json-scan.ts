import { KeyWatch, keyText } from './key-watch.ts';

/**
 * One pass over the bytes of a JSON text: whether it is one, whether every reader reads the same out of it, and where its
 * outermost members stand. Values are made later, and only when somebody asks for them.
 */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ScannedJson {
  readonly is: 'json';
  readonly outermost: 'object' | 'array' | 'value';
  /** Of an outermost object, by the meaning of the key; of two with one key, the last. */
  readonly members: ReadonlyMap<string, Span>;
  /** Of an outermost array. */
  readonly elements: readonly Span[];
  readonly hasDuplicateKey: boolean;
  /** A number that may not survive being read and written again. */
  readonly hasLongNumber: boolean;
  /** A carriage return between tokens: some readers take it for the end of a line. */
  readonly hasLoneReturn: boolean;
}

export interface JsonFault {
  readonly is: 'fault';
  readonly fault: 'syntax' | 'too-deep' | 'too-many-elements';
  readonly at: number;
  /** Members that were complete before it. */
  readonly members: ReadonlyMap<string, Span>;
}

export interface ScanLimits {
  readonly depth: number;
  readonly elements: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** 1 ends a run of plain characters in a string: a quote, a backslash, a control. */
const stops = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === quote || byte === backslash || byte < 0x20 ? 1 : 0,
);
const blanks = Uint8Array.from({ length: 256 }, (_, byte) => ([0x20, 0x09, 0x0a, 0x0d].includes(byte) ? 1 : 0));
const escapable = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);
const hexDigits = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0,
);
const controls = Array.from({ length: 0x20 }, (_, byte) => byte);
/** Most strings are shorter; beyond it a call into the machine's own search pays. */
const nearBytes = 64;
const longNumber = 15;
const literals = new Map(
  [0x74, 0x66, 0x6e].map((byte, at) => [byte, Buffer.from(['true', 'false', 'null'][at] ?? '')]),
);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

class Scanner {
  readonly #bytes: Buffer;
  readonly #limits: ScanLimits;
  readonly #keys: KeyWatch;
  #at = 0;
  #fault: JsonFault['fault'] | null = null;
  readonly #members = new Map<string, Span>();
  readonly #elements: Span[] = [];
  #hasDuplicateKey = false;
  #hasLongNumber = false;
  #hasLoneReturn = false;
  /** Anywhere in these bytes; null until somebody had to know. */
  #hasControl: boolean | null = null;
  #nextQuote = -1;
  #nextBackslash = -1;

  constructor(bytes: Buffer, limits: ScanLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#keys = new KeyWatch(bytes);
  }

  run(): ScannedJson | JsonFault {
    this.#skipBlanks();
    const first = this.#bytes[this.#at];
    this.#values();
    this.#skipBlanks();
    if (this.#fault === null && this.#at < this.#bytes.length) this.#fault = 'syntax';
    if (this.#fault !== null) return { is: 'fault', fault: this.#fault, at: this.#at, members: this.#members };
    return {
      is: 'json',
      outermost: first === openBrace ? 'object' : first === openBracket ? 'array' : 'value',
      members: this.#members,
      elements: this.#elements,
      hasDuplicateKey: this.#hasDuplicateKey,
      hasLongNumber: this.#hasLongNumber,
      hasLoneReturn: this.#hasLoneReturn,
    };
  }

  #fail(fault: JsonFault['fault']): false {
    this.#fault ??= fault;
    return false;
  }

  #skipBlanks(): void {
    const bytes = this.#bytes;
    const total = bytes.length;
    let at = this.#at;
    while (at < total && blanks[bytes[at] as number] === 1) {
      if (bytes[at] === 0x0d) this.#hasLoneReturn = true;
      at += 1;
    }
    this.#at = at;
  }

  /** One value with everything in it. No recursion: how deep it goes is the sender's choice. */
  #values(): void {
    const bytes = this.#bytes;
    const isObject: boolean[] = [];
    let [key, start] = ['', 0];
    for (;;) {
      this.#skipBlanks();
      const depth = isObject.length;
      if (depth === 1) start = this.#at;
      const byte = bytes[this.#at];
      let isComplete = true;
      if (byte === openBrace || byte === openBracket) {
        if (depth >= this.#limits.depth) return void this.#fail('too-deep');
        this.#at += 1;
        this.#skipBlanks();
        if (bytes[this.#at] === (byte === openBrace ? closeBrace : closeBracket)) this.#at += 1;
        else {
          isComplete = false;
          isObject.push(byte === openBrace);
          if (byte === openBrace) this.#keys.open(depth);
        }
      } else if (!this.#scalar(byte)) return;
      // What has just ended may be the last of its container, and that of the next.
      while (isComplete) {
        const inside = isObject.length;
        if (inside === 0) return;
        if (inside === 1 && !this.#outermost(isObject[0] === true, key, start)) return;
        this.#skipBlanks();
        const next = bytes[this.#at];
        this.#at += 1;
        if (next === comma) isComplete = false;
        else if (next === (isObject[inside - 1] ? closeBrace : closeBracket)) isObject.pop();
        else return void this.#fail('syntax');
      }
      if (isObject.at(-1) === true) {
        const found = this.#key(isObject.length - 1);
        if (found === null) return;
        if (isObject.length === 1) key = found;
      }
    }
  }

  #outermost(isObject: boolean, key: string, start: number): boolean {
    const span = { start, end: this.#at };
    if (isObject) this.#members.set(key, span);
    else if (this.#elements.push(span) > this.#limits.elements) return this.#fail('too-many-elements');
    return true;
  }

  /** Its text is made only where somebody needs it. */
  #key(depth: number): string | null {
    this.#skipBlanks();
    const bytes = this.#bytes;
    if (bytes[this.#at] !== quote) {
      this.#fail('syntax');
      return null;
    }
    const start = this.#at + 1;
    const total = bytes.length;
    let at = start;
    let hash = 0;
    for (; at < total && stops[bytes[at] as number] === 0; at += 1)
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    const hasEscape = bytes[at] === backslash;
    this.#at = at;
    if (!this.#restOfString()) return null;
    const end = this.#at - 1;
    if (this.#keys.add(depth, start, end, hash, hasEscape)) this.#hasDuplicateKey = true;
    this.#skipBlanks();
    if (bytes[this.#at] !== colon) {
      this.#fail('syntax');
      return null;
    }
    this.#at += 1;
    return depth === 0 ? keyText(bytes, start, end) : '';
  }

  #scalar(byte: number | undefined): boolean {
    if (byte === quote) {
      this.#at += 1;
      return this.#restOfString();
    }
    if (byte === 0x2d || isDigit(byte)) return this.#number();
    const literal = literals.get(byte ?? 0);
    if (literal === undefined || !this.#bytes.subarray(this.#at, this.#at + literal.length).equals(literal))
      return this.#fail('syntax');
    this.#at += literal.length;
    return true;
  }

  #restOfString(): boolean {
    const bytes = this.#bytes;
    const total = bytes.length;
    let at = this.#at;
    for (;;) {
      // Reading past the end would be an undefined, and costs a loop like this most of its speed.
      const near = Math.min(total, at + nearBytes);
      while (at < near && stops[bytes[at] as number] === 0) at += 1;
      if (at === near && near < total) at = this.#nextStop(at);
      if (at >= total) return this.#fail('syntax');
      const byte = bytes[at];
      if (byte === quote) {
        this.#at = at + 1;
        return true;
      }
      const next = bytes[at + 1] ?? 0;
      if (byte === backslash && escapable[next] === 1) at += 2;
      else if (byte === backslash && next === 0x75 && this.#isHex(at + 2)) at += 6;
      else {
        this.#at = at;
        return this.#fail('syntax');
      }
    }
  }

  /** In long strings, by the fast search of the machine; where a control stands somewhere, byte by byte. */
  #nextStop(from: number): number {
    const bytes = this.#bytes;
    const total = bytes.length;
    this.#hasControl ??= controls.some((byte) => bytes.includes(byte));
    if (this.#hasControl) {
      let at = from;
      while (at < total && stops[bytes[at] as number] === 0) at += 1;
      return at;
    }
    if (this.#nextBackslash < from) {
      const found = bytes.indexOf(backslash, from);
      this.#nextBackslash = found === -1 ? total : found;
    }
    if (this.#nextQuote < from) {
      const found = bytes.indexOf(quote, from);
      this.#nextQuote = found === -1 ? total : found;
    }
    return Math.min(this.#nextBackslash, this.#nextQuote);
  }

  #isHex(at: number): boolean {
    const bytes = this.#bytes;
    for (let digit = at; digit < at + 4; digit += 1) if (hexDigits[bytes[digit] ?? 0] !== 1) return false;
    return true;
  }

  #number(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    const digits = (): boolean => {
      const from = at;
      while (isDigit(bytes[at])) at += 1;
      return at > from;
    };
    if (bytes[at] === 0x2d) at += 1;
    const isZero = bytes[at] === 0x30;
    if (isZero) at += 1;
    else if (!digits()) return this.#fail('syntax');
    if (bytes[at] === 0x2e) {
      at += 1;
      if (!digits()) return this.#fail('syntax');
    }
    if (bytes[at] === 0x65 || bytes[at] === 0x45) {
      this.#hasLongNumber = true;
      at += 1;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at += 1;
      if (!digits()) return this.#fail('syntax');
    }
    this.#at = at;
    if (at - start > longNumber) this.#hasLongNumber = true;
    return true;
  }
}

export function scanJson(bytes: Buffer, limits: ScanLimits): ScannedJson | JsonFault {
  return new Scanner(bytes, limits).run();
}
