import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { kibibyte } from '../../../base/limits.ts';

/** Many lines to one stream: written in large pieces, and no faster than its reader reads. */

const pieceCharacters = 64 * kibibyte;

export class LineOutput {
  readonly #stream: Writable;
  readonly #readerGone: AbortSignal;
  #pending: string[] = [];
  #characters = 0;

  constructor(stream: Writable, readerGone: AbortSignal) {
    this.#stream = stream;
    this.#readerGone = readerGone;
  }

  /** Nobody reads any more. */
  get isUnread(): boolean {
    return this.#readerGone.aborted;
  }

  add(text: string): void {
    this.#pending.push(text);
    this.#characters += text.length;
  }

  /** Writes when there is enough. */
  async settle(): Promise<void> {
    if (this.#characters >= pieceCharacters) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#characters = 0;
    if (text === '' || this.isUnread || this.#stream.write(text)) return;
    // A reader that goes away never drains.
    await once(this.#stream, 'drain', { signal: this.#readerGone }).catch(() => {});
  }
}
