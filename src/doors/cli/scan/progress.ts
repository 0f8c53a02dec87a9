import type { Writable } from 'node:stream';
import type { Terminal } from '../terminal/index.ts';

/** One line that is rewritten while something takes longer than a second; nothing at all where nobody looks. */

const afterMs = 1000;
const everyMs = 120;

export class Progress {
  readonly #stream: Writable;
  readonly #width: number;
  readonly #timer: NodeJS.Timeout | null;
  readonly #startedAt = performance.now();
  #what = '';
  #isShown = false;

  constructor(stream: Writable, isTerminal: boolean, terminal: Terminal) {
    this.#stream = stream;
    this.#width = Math.min(terminal.width, 120);
    this.#timer = isTerminal ? setInterval(() => this.#show(), everyMs) : null;
    this.#timer?.unref();
  }

  say(what: string): void {
    this.#what = what;
  }

  #show(): void {
    const passedMs = performance.now() - this.#startedAt;
    if (passedMs < afterMs || this.#what === '') return;
    const text = `${(passedMs / 1000).toFixed(0)} s  ${this.#what}`.slice(0, this.#width - 1);
    this.#stream.write(`\r\u001b[2K${text}`);
    this.#isShown = true;
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#isShown) this.#stream.write('\r\u001b[2K');
  }
}
