import { readAnsiEscape } from './ansi-c.ts';
import type { ShellWord } from './contract.ts';
import { skipBackticks, skipToCloser } from './skip.ts';

/** Reads one word of a line: quotes, escapes and expansions, each as a shell takes them. */

export interface ScanOptions {
  /** A backslash is part of a path, and a caret escapes. */
  readonly isWindows: boolean;
}

const endsWord = /[\s;&|<>()]/;
const simpleName = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/;

class WordScanner {
  readonly #text: string;
  readonly #options: ScanOptions;
  at: number;
  value = '';
  kinds = '';
  readonly inner: string[] = [];
  readonly variables: string[] = [];
  isOpen = false;
  /** A bare `$IFS` parts words as a blank does. */
  isParted = false;

  constructor(text: string, at: number, options: ScanOptions) {
    this.#text = text;
    this.at = at;
    this.#options = options;
  }

  #add(text: string, kind: 'b' | 'q' | 'v'): void {
    this.value += text;
    this.kinds += kind.repeat(text.length);
  }

  scan(): void {
    const text = this.#text;
    while (this.at < text.length && !this.isParted) {
      const character = text[this.at] ?? '';
      const next = text[this.at + 1];
      if ((character === '<' || character === '>') && next === '(') this.#processSubstitution(character);
      else if (endsWord.test(character)) return;
      else if (character === "'" && !this.#options.isWindows) this.#singleQuoted();
      else if (character === '"') this.#doubleQuoted();
      else if (character === '\\' || (character === '^' && this.#options.isWindows)) this.#escape(character);
      else if (character === '$') this.#dollar('b');
      else if (character === '`') this.#backticks('b');
      else {
        this.#add(character, 'b');
        this.at += 1;
      }
    }
  }

  #escape(character: string): void {
    const next = this.#text[this.at + 1];
    if (character === '\\' && this.#options.isWindows && next !== '"') {
      this.#add('\\', 'b');
      this.at += 1;
      return;
    }
    if (next !== '\n' && next !== undefined) this.#add(next, 'q');
    this.at += 2;
  }

  #singleQuoted(): void {
    const end = this.#text.indexOf("'", this.at + 1);
    this.isOpen ||= end === -1;
    const stop = end === -1 ? this.#text.length : end;
    this.#add(this.#text.slice(this.at + 1, stop), 'q');
    // An empty pair of quotes is a word too.
    this.at = stop + 1;
  }

  #doubleQuoted(): void {
    const text = this.#text;
    this.at += 1;
    while (this.at < text.length) {
      const character = text[this.at] ?? '';
      const next = text[this.at + 1] ?? '';
      if (character === '"') {
        this.at += 1;
        return;
      }
      if (character === '\\' && /[\\"$`\n]/.test(next) && !(this.#options.isWindows && next !== '"')) {
        if (next !== '\n') this.#add(next, 'q');
        this.at += 2;
      } else if (character === '$') this.#dollar('q');
      else if (character === '`') this.#backticks('q');
      else {
        this.#add(character, 'q');
        this.at += 1;
      }
    }
    this.isOpen = true;
  }

  #processSubstitution(character: string): void {
    const end = skipToCloser(this.#text, this.at + 2, '(');
    this.inner.push(this.#text.slice(this.at + 2, end));
    this.#add(`${character}(…)`, 'v');
    this.isOpen ||= end === this.#text.length;
    this.at = end + 1;
  }

  #backticks(kind: 'b' | 'q'): void {
    const end = skipBackticks(this.#text, this.at + 1);
    const body = this.#text.slice(this.at + 1, end);
    this.inner.push(body.replace(kind === 'q' ? /\\([\\`$"])/g : /\\([\\`$])/g, '$1'));
    this.#add('`…`', 'v');
    this.isOpen ||= end === this.#text.length;
    this.at = end + 1;
  }

  #dollar(kind: 'b' | 'q'): void {
    const text = this.#text;
    const next = text[this.at + 1] ?? '';
    if (next === '(') {
      const end = skipToCloser(text, this.at + 2, '(');
      this.#substitution(text.slice(this.at + 2, end));
      this.isOpen ||= end === text.length;
      this.at = end + 1;
    } else if (next === '{') {
      const end = skipToCloser(text, this.at + 2, '{');
      this.#parameter(text.slice(this.at + 2, end), kind);
      this.isOpen ||= end === text.length;
      this.at = end + 1;
    } else if (kind === 'b' && next === "'") this.#ansiQuoted();
    else if (kind === 'b' && next === '"') {
      this.at += 1;
      this.#doubleQuoted();
    } else this.#plainVariable(kind);
  }

  #substitution(body: string): void {
    const isSum = body.startsWith('(') && body.endsWith(')');
    if (isSum) this.#lookInside(body.slice(1, -1));
    else this.inner.push(body);
    this.#add(isSum ? '$((…))' : '$(…)', 'v');
  }

  /** Commands in the operand of `${name:-…}` and in sums are run as well. */
  #lookInside(body: string): void {
    if (!/[$`]/.test(body)) return;
    for (let at = 0; at < body.length; at += 1) {
      const isStart = body.startsWith('$(', at);
      if (body[at] === '\\') at += 1;
      else if (isStart || body[at] === '`') {
        const end = isStart ? skipToCloser(body, at + 2, '(') : skipBackticks(body, at + 1);
        this.inner.push(body.slice(at + (isStart ? 2 : 1), end));
        at = end;
      }
    }
  }

  #parameter(body: string, kind: 'b' | 'q'): void {
    const [name = ''] = /^[!#]?(?:[A-Za-z_]\w*|[0-9@*?$!-])/.exec(body) ?? [];
    this.variables.push(name.replace(/^[!#](?=\w)/, ''));
    this.#lookInside(body.slice(name.length));
    if (kind === 'b' && body === 'IFS') this.isParted = true;
    else this.#add(`\${${body.slice(0, 64)}}`, 'v');
  }

  #ansiQuoted(): void {
    const text = this.#text;
    this.at += 2;
    while (this.at < text.length) {
      if (text[this.at] === "'") {
        this.at += 1;
        return;
      }
      if (text[this.at] === '\\') {
        const { value, length } = readAnsiEscape(text, this.at + 1);
        this.#add(value, 'q');
        this.at += 1 + length;
      } else {
        this.#add(text[this.at] ?? '', 'q');
        this.at += 1;
      }
    }
    this.isOpen = true;
  }

  #plainVariable(kind: 'b' | 'q'): void {
    const [name = ''] = simpleName.exec(this.#text.slice(this.at + 1, this.at + 256)) ?? [];
    this.at += 1 + name.length;
    if (name === '') this.#add('$', kind);
    else if (name === 'IFS' && kind === 'b') {
      this.variables.push(name);
      this.isParted = true;
    } else {
      this.variables.push(name);
      this.#add(`$${name}`, 'v');
    }
  }
}

export interface ScannedWord {
  readonly word: ShellWord;
  readonly end: number;
  readonly isOpen: boolean;
  /** It ended at a bare `$IFS`. */
  readonly isParted: boolean;
}

export function scanWord(text: string, at: number, options: ScanOptions): ScannedWord {
  const scanner = new WordScanner(text, at, options);
  scanner.scan();
  const { value, kinds, inner, variables, isOpen, isParted } = scanner;
  return { word: { value, kinds, inner, variables }, end: scanner.at, isOpen, isParted };
}
