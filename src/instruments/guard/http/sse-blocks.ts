/**
 * A stream of events cut into blocks, every byte kept: what passes unchanged goes on as it came.
 *
 *     : ping⏎⏎id: 7⏎data: {…}⏎⏎
 *     └ block ┘└── block ─────┘
 */

export type SseBlock =
  | { readonly is: 'block'; readonly raw: Buffer }
  | { readonly is: 'too-long'; readonly bytes: number; readonly head: Buffer; readonly tail: Buffer };

const carriageReturn = 13;
const newline = 10;
const headBytes = 4096;
const tailBytes = 2048;

export class SseBlockReader {
  readonly #mostBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #head: Buffer | null = null;
  #tail: Buffer = Buffer.alloc(0);
  /** Of the line that has not ended yet. */
  #lineBytes = 0;
  /** A line feed right behind a carriage return belongs to it. */
  #isAfterReturn = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  *push(chunk: Buffer): Generator<SseBlock, void, undefined> {
    let start = 0;
    let at = 0;
    let nextReturn = indexFrom(chunk, carriageReturn, 0);
    let nextFeed = indexFrom(chunk, newline, 0);
    if (this.#isAfterReturn && chunk[0] === newline) {
      at = 1;
      nextFeed = indexFrom(chunk, newline, 1);
    }
    if (chunk.length > 0) this.#isAfterReturn = false;
    while (at < chunk.length) {
      if (nextReturn < at) nextReturn = indexFrom(chunk, carriageReturn, at);
      if (nextFeed < at) nextFeed = indexFrom(chunk, newline, at);
      const end = Math.min(nextReturn, nextFeed);
      if (end === chunk.length) {
        this.#lineBytes += end - at;
        break;
      }
      const isEmpty = this.#lineBytes + end - at === 0;
      this.#lineBytes = 0;
      at = end + 1;
      if (chunk[end] === carriageReturn) {
        if (at === chunk.length) this.#isAfterReturn = true;
        else if (chunk[at] === newline) at += 1;
      }
      if (!isEmpty) continue;
      this.#hold(chunk.subarray(start, at));
      yield this.#take();
      start = at;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** What came without an empty line behind it. */
  *end(): Generator<SseBlock, void, undefined> {
    if (this.#bytes > 0) yield this.#take();
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= this.#mostBytes) {
      // A copy, for a small piece would keep the whole buffer that it was read into.
      this.#parts.push(Buffer.from(part));
      if (this.#parts.length > mostParts) this.#parts = [Buffer.concat(this.#parts)];
      return;
    }
    this.#head ??= Buffer.concat([...this.#parts, part.subarray(0, headBytes)]).subarray(0, headBytes);
    this.#parts = [];
    this.#tail = Buffer.concat([this.#tail, part.subarray(-tailBytes)]).subarray(-tailBytes);
  }

  #take(): SseBlock {
    const [parts, bytes, head, tail] = [this.#parts, this.#bytes, this.#head, this.#tail];
    this.#parts = [];
    this.#bytes = 0;
    this.#head = null;
    this.#tail = Buffer.alloc(0);
    if (head !== null) return { is: 'too-long', bytes, head: Buffer.from(head), tail };
    return { is: 'block', raw: parts.length === 1 ? (parts[0] ?? tail) : Buffer.concat(parts) };
  }
}

const mostParts = 1024;

/** The length where there is none. */
function indexFrom(chunk: Buffer, byte: number, from: number): number {
  const found = chunk.indexOf(byte, from);
  return found === -1 ? chunk.length : found;
}
