import { forTerminal, untrusted } from '../../base/untrusted.ts';

/** What was broken in what a server said, in words of ours; its own words are cut and escaped. */
export class Problems {
  readonly #most: number;
  readonly #found: string[] = [];
  #more = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(problem: string): void {
    if (this.#found.length < this.#most) this.#found.push(problem);
    else this.#more += 1;
  }

  get list(): readonly string[] {
    return this.#more === 0 ? this.#found : [...this.#found, `${this.#more} more problems`];
  }
}

const shownBytes = 80;

export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : String(typeof value === 'number' ? value : typeof value);
  return `"${forTerminal(untrusted(text, shownBytes))}"`;
}
