import { inspect } from 'node:util';

/** A value that is most often a secret. It can be used, but not shown by accident: not by a template, JSON or a log. */
export class HiddenText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /** A reference to a variable or an input is no secret; whether there is one is worth showing. */
  get isReference(): boolean {
    return /^\$\{[^}]*\}$|^\$[A-Za-z_]\w*$|^%[A-Za-z_]\w*%$/.test(this.#text);
  }

  toString(): string {
    if (this.#text === '') return '(empty)';
    return this.isReference ? this.#text : '(hidden)';
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
