import { mebibyte } from '../../base/limits.ts';
import { parseJson } from './parse-frame.ts';

/**
 * Puts messages together that a server printed over several lines, as people do when they want JSON to look nice:
 *
 *     {
 *       "jsonrpc": "2.0",
 *       …
 *     }
 *
 * A line that is a message by itself ends the attempt, so that a stray brace in a log swallows nothing.
 */

const longestText = 4 * mebibyte;
const mostLines = 100_000;

export class LineJoiner {
  #lines: string[] = [];
  #length = 0;

  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  /** What the lines so far are together, if they are something. */
  add(line: string): unknown {
    const isFirst = /^\s*[{[]\s*$/.test(line) || /^\{\s*"[^"]{0,40}"\s*:/.test(line);
    if (!this.isOpen && !isFirst) return undefined;
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#lines.length > mostLines || this.#length > longestText) {
      this.#lines = [];
      this.#length = 0;
      return undefined;
    }
    // Only a line that closes at the first column can be the last: each attempt reads all lines again.
    if (this.#lines.length === 1 || !/^[}\]]\s*$/.test(line)) return undefined;
    const whole = parseJson(this.#lines.join('\n'));
    this.take();
    return whole;
  }

  /** Gives up; the lines were no message. */
  take(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    return lines;
  }
}
