/**
 * Bytes cut into lines, every byte kept. A line that is too long is told with its size, its beginning and its end, and
 * reading goes on behind it.
 *
 *     …}⏎{"jsonrpc":"2.0",…}⏎⏎{"jso
 *        └──── whole ───────┘│└ held until the rest comes
 *                            empty lines are counted by nobody
 */

export type Line =
  /** `whole` has the end of the line and what stood before the content; `content` is what JSON is read from. */
  | { readonly is: 'line'; readonly whole: Buffer; readonly content: Buffer }
  | { readonly is: 'too-long'; readonly bytes: number; readonly head: Buffer; readonly tail: Buffer };

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Chunks below this are copied together: a million chunks of one byte must not be a million buffers. */
const smallBytes = 16_384;
const gatherBytes = 65_536;
const headBytes = 4096;
const tailBytes = 2048;

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === carriageReturn;
}

export class LineReader {
  readonly #mostBytes: number;
  #parts: Buffer[] = [];
  /** Where small chunks are copied to; the part that it gives is not yet among the parts. */
  #gathered: Buffer | null = null;
  #gatheredBytes = 0;
  /** Of the line that has not ended. */
  #bytes = 0;
  #head: Buffer | null = null;
  #tail: Buffer = Buffer.alloc(0);
  #isFirst = true;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes that are held for a line without an end: never more than the cap and a chunk. */
  get heldBytes(): number {
    return this.#head === null ? this.#bytes : this.#head.length + this.#tail.length;
  }

  /** Lazily: a caller that waits between two lines holds the chunk and nothing else. */
  *push(chunk: Buffer): Generator<Line, void, undefined> {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) {
        this.#hold(start === 0 ? chunk : chunk.subarray(start));
        return;
      }
      const line = this.#finish(chunk.subarray(start, end + 1));
      start = end + 1;
      if (line !== null) yield line;
    }
  }

  /** What the stream ended in the middle of. */
  flush(): Line | null {
    return this.#bytes === 0 ? null : this.#finish(Buffer.alloc(0));
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#head !== null) {
      if (this.#head.length < headBytes) this.#head = Buffer.concat([this.#head, part]).subarray(0, headBytes);
      this.#tail = Buffer.concat([this.#tail, part.subarray(-tailBytes)]).subarray(-tailBytes);
      return;
    }
    if (this.#bytes > this.#mostBytes) {
      const before = this.#take();
      this.#head = Buffer.concat([before.subarray(0, headBytes), part.subarray(0, headBytes)]).subarray(0, headBytes);
      this.#tail = Buffer.concat([before.subarray(-tailBytes), part.subarray(-tailBytes)]).subarray(-tailBytes);
      return;
    }
    if (part.length < smallBytes) this.#gather(part);
    else {
      this.#settle();
      this.#parts.push(part);
    }
  }

  #gather(part: Buffer): void {
    if (this.#gathered === null || this.#gatheredBytes + part.length > gatherBytes) {
      this.#settle();
      this.#gathered = Buffer.allocUnsafeSlow(gatherBytes);
    }
    part.copy(this.#gathered, this.#gatheredBytes);
    this.#gatheredBytes += part.length;
  }

  #settle(): void {
    if (this.#gathered !== null && this.#gatheredBytes > 0)
      this.#parts.push(this.#gathered.subarray(0, this.#gatheredBytes));
    this.#gathered = null;
    this.#gatheredBytes = 0;
  }

  #take(): Buffer {
    this.#settle();
    const parts = this.#parts;
    this.#parts = [];
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  #finish(last: Buffer): Line | null {
    if (this.#bytes === 0 && last.length <= this.#mostBytes) return this.#lineOf(last);
    if (last.length > 0) this.#hold(last);
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (this.#head === null) return this.#lineOf(this.#take());
    const line: Line = { is: 'too-long', bytes, head: this.#head, tail: this.#tail };
    this.#head = null;
    this.#tail = Buffer.alloc(0);
    this.#isFirst = false;
    return line;
  }

  #lineOf(whole: Buffer): Line | null {
    let [start, end] = [0, whole.length];
    // Some programs begin what they write with a byte order mark; in the middle of a stream it is no blank.
    if (this.#isFirst && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf) start = 3;
    if (whole[end - 1] === newline) end -= 1;
    if (whole[end - 1] === carriageReturn) end -= 1;
    while (start < end && isBlank(whole[start])) start += 1;
    if (start >= end) return null;
    this.#isFirst = false;
    return { is: 'line', whole, content: start === 0 ? whole.subarray(0, end) : whole.subarray(start, end) };
  }
}
