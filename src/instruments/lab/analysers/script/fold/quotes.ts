/** Reads the quoted text of each language. Gives what it means and where it ends. */

export interface Quoted {
  readonly value: string;
  readonly end: number;
  /** Has parts that are computed when it runs. */
  readonly dynamic?: boolean;
}
export type QuoteReader = (text: string, at: number) => Quoted | undefined;

const simple: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
  e: '\x1b',
};

/** One escape of the C family at a backslash: the character and how long it was written. */
export function readEscape(text: string, at: number): { value: string; length: number } {
  const next = text[at + 1] ?? '';
  const hex = next === 'x' ? 2 : next === 'u' ? 4 : next === 'U' ? 8 : 0;
  if (hex > 0) {
    const digits = text.slice(at + 2, at + 2 + hex);
    if (/^[0-9a-fA-F]+$/.test(digits) && digits.length === hex) {
      const code = Number.parseInt(digits, 16);
      return { value: code <= 0x10ffff ? String.fromCodePoint(code) : '', length: 2 + hex };
    }
    const braces = /^\{([0-9a-fA-F]{1,6})\}/.exec(text.slice(at + 2, at + 10));
    const code = braces === null ? 0x110000 : Number.parseInt(braces[1] ?? '', 16);
    if (braces !== null && code <= 0x10ffff) return { value: String.fromCodePoint(code), length: 2 + braces[0].length };
    return { value: next, length: 2 };
  }
  const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4));
  if (octal !== null)
    return { value: String.fromCharCode(Number.parseInt(octal[0], 8) & 0xff), length: 1 + octal[0].length };
  if (next === '\r' && text[at + 2] === '\n') return { value: '', length: 3 };
  if (next === '\n' || next === '\r') return { value: '', length: 2 };
  return { value: simple[next] ?? next, length: 2 };
}

/** `'…'` and `"…"` with backslashes, on one line. */
export function cQuote(text: string, at: number, multiline = false): Quoted | undefined {
  const quote = text[at];
  const parts: string[] = [];
  let from = at + 1;
  for (let here = from; here < text.length; ) {
    const character = text[here];
    if (character === quote) {
      parts.push(text.slice(from, here));
      return { value: parts.join(''), end: here + 1 };
    }
    if (character === '\n' && !multiline) return undefined;
    if (character === '\\') {
      const read = readEscape(text, here);
      parts.push(text.slice(from, here), read.value);
      here += read.length;
      from = here;
    } else here += 1;
  }
  return undefined;
}

/** The quote is doubled to stand for itself. */
export function doubledQuote(text: string, at: number, multiline: boolean): Quoted | undefined {
  const quote = text[at] ?? '"';
  let from = at + 1;
  const parts: string[] = [];
  for (;;) {
    const end = text.indexOf(quote, from);
    if (end < 0) return undefined;
    const part = text.slice(from, end);
    if (!multiline && part.includes('\n')) return undefined;
    parts.push(part);
    if (text[end + 1] !== quote) return { value: parts.join(''), end: end + 1 };
    parts.push(quote);
    from = end + 2;
  }
}

const backticks: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** PowerShell: backtick escapes, doubled quotes, variables inside. */
export function powershellQuote(text: string, at: number): Quoted | undefined {
  if (text[at] !== '"') return doubledQuote(text, at, true);
  const parts: string[] = [];
  let dynamic = false;
  for (let here = at + 1; here < text.length; here += 1) {
    const character = text[here] ?? '';
    if (character === '"') {
      if (text[here + 1] !== '"') return { value: parts.join(''), end: here + 1, ...(dynamic ? { dynamic } : {}) };
      here += 1;
      parts.push('"');
    } else if (character === '`') {
      here += 1;
      const next = text[here] ?? '';
      parts.push(backticks[next] ?? next);
    } else {
      if (character === '$' && /[A-Za-z_({]/.test(text[here + 1] ?? '')) dynamic = true;
      parts.push(character);
    }
  }
  return undefined;
}

export function hereString(text: string, at: number): Quoted | undefined {
  const quote = text[at + 1];
  if (text[at] !== '@' || (quote !== "'" && quote !== '"')) return undefined;
  const end = text.indexOf(`\n${quote}@`, at + 2);
  const start = text.indexOf('\n', at);
  if (end < 0 || start < 0 || start > end) return undefined;
  return { value: text.slice(start + 1, end).replace(/\r$/, ''), end: end + 3 };
}

/** Python: prefixes and three quotes. */
export function pythonQuote(text: string, at: number): Quoted | undefined {
  const prefix = /^[rRbBuUfF]{0,2}(?=['"])/.exec(text.slice(at, at + 3))?.[0] ?? '';
  const start = at + prefix.length;
  const quote = text[start] ?? '';
  if (quote !== "'" && quote !== '"') return undefined;
  const dynamic = /f/i.test(prefix) ? { dynamic: true } : {};
  const triple = text.startsWith(quote.repeat(3), start);
  if (triple) {
    const end = text.indexOf(quote.repeat(3), start + 3);
    if (end < 0) return undefined;
    const inner = text.slice(start + 3, end);
    return { value: /r/i.test(prefix) ? inner : unescapeAll(inner), end: end + 3, ...dynamic };
  }
  if (!/r/i.test(prefix)) {
    const read = cQuote(text, start);
    return read === undefined ? undefined : { ...read, ...dynamic };
  }
  const end = text.indexOf(quote, start + 1);
  const inner = text.slice(start + 1, end);
  return end < 0 || inner.includes('\n') ? undefined : { value: inner, end: end + 1 };
}

export function unescapeAll(text: string): string {
  if (!text.includes('\\')) return text;
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', from)) {
    const read = readEscape(text, at);
    parts.push(text.slice(from, at), read.value);
    from = at + read.length;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
