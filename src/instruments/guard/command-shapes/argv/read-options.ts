import type { Program } from '../rules.ts';

/** Reads words by the rules of one program: which options take a value, and where options end. */

export interface FoundOption {
  /** `-c`, `--eval`: in full where the program takes it shortened. */
  readonly name: string;
  readonly value: string | null;
  /** The words it was written in. */
  readonly words: readonly string[];
}

export interface ReadWords {
  readonly options: readonly FoundOption[];
  readonly operands: readonly string[];
  /** Position of the first operand among the words. */
  readonly firstOperand: number;
}

type Taking = 'flag' | 'value' | 'attached' | 'digits';
const marks: Readonly<Record<string, Taking>> = { ':': 'value', '?': 'attached', '#': 'digits' };

function shortTaking({ short }: Program, letter: string): Taking {
  const at = short.indexOf(letter);
  return at === -1 ? 'flag' : (marks[short[at + 1] ?? ''] ?? 'flag');
}

interface LongName {
  readonly name: string;
  readonly taking: Taking;
}

function longName(entry: string): LongName {
  if (entry.endsWith('=?')) return { name: entry.slice(0, -2), taking: 'attached' };
  return entry.endsWith('=') ? { name: entry.slice(0, -1), taking: 'value' } : { name: entry, taking: 'flag' };
}

function findLong({ long, abbreviates, otherLongs, hits }: Program, written: string): LongName {
  const known = long.map(longName);
  const exact = known.find(({ name }) => name === written);
  if (exact !== undefined) return exact;
  // Where several begin like this the program would refuse; the one that does harm is the one to tell about.
  const begun = abbreviates && written.length > 1 ? known.filter(({ name }) => name.startsWith(written)) : [];
  const harmful = begun.find(({ name }) => hits.some(({ options }) => options.includes(`--${name}`)));
  return harmful ?? begun[0] ?? { name: written, taking: otherLongs };
}

class OptionReader {
  readonly #program: Program;
  readonly #words: readonly string[];
  readonly options: FoundOption[] = [];
  readonly operands: string[] = [];
  firstOperand = -1;
  #at = 0;
  #isOver = false;

  constructor(program: Program, words: readonly string[]) {
    this.#program = program;
    this.#words = words;
  }

  read(): ReadWords {
    const { style, mixes, mostOperands = Number.POSITIVE_INFINITY, firstWordIsOptions } = this.#program;
    for (; this.#at < this.#words.length; this.#at += 1) {
      const word = this.#words[this.#at] ?? '';
      const isCluster = firstWordIsOptions && this.#at === 0 && /^[A-Za-z]+$/.test(word);
      if (this.#isOver || style === 'bare' || style === 'slashes') this.#operand(word);
      else if (word === '--' && !this.#isOver) this.#isOver = true;
      else if (isCluster) this.#bundled(word);
      else if (/^-./.test(word)) this.#option(word, style === 'words');
      else {
        this.#operand(word);
        if (!mixes || this.operands.length >= mostOperands) this.#isOver = true;
      }
    }
    const { options, operands, firstOperand } = this;
    return { options, operands, firstOperand: firstOperand === -1 ? this.#words.length : firstOperand };
  }

  #operand(word: string): void {
    if (this.firstOperand === -1) this.firstOperand = this.#at;
    this.operands.push(word);
  }

  #keep(name: string, value: string | null, from: number): void {
    this.options.push({ name, value, words: this.#words.slice(from, this.#at + 1) });
    if (this.#program.ends.includes(name)) this.#isOver = true;
  }

  #next(): string | null {
    if (this.#at + 1 >= this.#words.length) return null;
    this.#at += 1;
    return this.#words[this.#at] ?? '';
  }

  #option(word: string, isWords: boolean): void {
    if (isWords) this.#wordOption(word);
    else if (word.startsWith('--')) this.#long(word);
    else this.#cluster(word.slice(1));
  }

  #long(word: string): void {
    const from = this.#at;
    const equals = word.indexOf('=');
    const { name, taking } = findLong(this.#program, word.slice(2, equals === -1 ? undefined : equals).toLowerCase());
    const attached = equals === -1 ? null : word.slice(equals + 1);
    this.#keep(`--${name}`, attached ?? (taking === 'value' ? this.#next() : null), from);
  }

  /** `-jar file`, `-XX:name`, `-javaagent:file`, `--eval=text`, `-e text`. */
  #wordOption(word: string): void {
    const from = this.#at;
    const [, written = word, attached] = /^(--?[^=:]+)(?:[=:](.*))?$/s.exec(word) ?? [];
    const known = this.#program.long.map(longName).find(({ name }) => name === written);
    const name = known?.name ?? written.toLowerCase();
    const isKnown = known !== undefined || this.#program.hits.some(({ options }) => options.includes(name));
    if (!isKnown && !written.startsWith('--') && this.#attachedLetter(word, from)) return;
    this.#keep(name, attached ?? (known?.taking === 'value' ? this.#next() : null), from);
  }

  /** `-e'code'`: a letter that takes a value, and the value right behind it. */
  #attachedLetter(word: string, from: number): boolean {
    const letter = word.slice(0, 2);
    const isLetter = this.#program.hits.some(({ options }) => options.includes(letter)) && word.length > 2;
    if (isLetter && !/^-[A-Za-z][A-Za-z-]*(?:[=:]|$)/.test(word)) {
      this.#keep(letter, word.slice(2), from);
      return true;
    }
    return false;
  }

  #cluster(letters: string): void {
    const from = this.#at;
    for (let at = 0; at < letters.length; at += 1) {
      const letter = letters[at] ?? '';
      const rest = letters.slice(at + 1);
      const taking = shortTaking(this.#program, letter);
      if (taking === 'flag') this.#keep(`-${letter}`, null, from);
      else if (taking === 'digits') {
        const [digits = ''] = /^[0-9a-fA-Fx]*/.exec(letter === '0' ? rest : (/^\d*/.exec(rest)?.[0] ?? '')) ?? [];
        // `-0777ne`: letters behind the digits are options again.
        const count = /^\d*/.exec(digits)?.[0].length ?? 0;
        this.#keep(`-${letter}`, digits.slice(0, count), from);
        at += count;
      } else {
        const attached = rest === '' ? null : rest.replace(/^=/, '');
        this.#keep(`-${letter}`, attached ?? (taking === 'value' ? this.#next() : null), from);
        return;
      }
    }
  }

  /** `tar xfI file program`: the values stand behind in the order of their letters. */
  #bundled(letters: string): void {
    const from = this.#at;
    for (const letter of letters) {
      const takes = shortTaking(this.#program, letter) === 'value';
      this.#keep(`-${letter}`, takes ? this.#next() : null, from);
    }
  }
}

export function readWords(program: Program, words: readonly string[]): ReadWords {
  return new OptionReader(program, words).read();
}
