import { Accumulator } from './accumulator.ts';
import type { CutFrame } from './wire.ts';

/** Server-sent events out of bytes: `event:` and `data:` lines, an empty line between two events. */

export interface SseSink {
  event(name: string, data: Buffer): void;
  cut(frame: CutFrame): void;
}

const carriageReturn = 13;
const newline = 10;
const headKept = 64 * 1024;
const longestName = 100;

export class SseReader {
  readonly #sink: SseSink;
  readonly #line: Accumulator;
  readonly #data: Accumulator;
  #name = '';
  #hasData = false;
  #isFirstLine = true;
  /** A line feed right behind a carriage return belongs to it. */
  #isAfterReturn = false;

  constructor(sink: SseSink, frameBytes: number) {
    this.#sink = sink;
    this.#line = new Accumulator(frameBytes);
    this.#data = new Accumulator(frameBytes);
  }

  push(chunk: Buffer): void {
    let from = 0;
    if (this.#isAfterReturn && chunk[0] === newline) from = 1;
    if (chunk.length > 0) this.#isAfterReturn = false;
    while (from < chunk.length) {
      const end = lineEnd(chunk, from);
      this.#line.add(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#endLine();
      from = end + 1;
      if (chunk[end] !== carriageReturn) continue;
      if (from === chunk.length) this.#isAfterReturn = true;
      else if (chunk[from] === newline) from += 1;
    }
  }

  /** At the end of the stream, an event without its empty line counts too: servers forget it. */
  end(): void {
    if (this.#line.bytes > 0) this.#endLine();
    this.#dispatch();
  }

  #endLine(): void {
    if (this.#line.isCut) {
      this.#sink.cut(this.#line.takeCut(headKept));
      return;
    }
    let line = this.#line.take();
    if (this.#isFirstLine && line.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) line = line.subarray(3);
    this.#isFirstLine = false;
    if (line.length === 0) {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(0x3a);
    const field = line.subarray(0, colon === -1 ? line.length : Math.min(colon, longestName)).toString('latin1');
    const space = line[colon + 1] === 0x20 ? 1 : 0;
    const value = colon === -1 ? Buffer.alloc(0) : line.subarray(colon + 1 + space);
    if (field === 'event') this.#name = value.subarray(0, longestName).toString('utf8');
    if (field !== 'data') return;
    if (this.#hasData) this.#data.add(Buffer.from('\n'));
    this.#hasData = true;
    this.#data.add(value);
  }

  #dispatch(): void {
    const name = this.#name === '' ? 'message' : this.#name;
    this.#name = '';
    if (!this.#hasData) return;
    this.#hasData = false;
    if (this.#data.isCut) this.#sink.cut(this.#data.takeCut(headKept));
    else this.#sink.event(name, this.#data.take());
  }
}

function lineEnd(chunk: Buffer, from: number): number {
  const feed = chunk.indexOf(newline, from);
  const before = feed === -1 ? chunk : chunk.subarray(0, feed);
  const back = before.indexOf(carriageReturn, from);
  return back === -1 ? feed : back;
}
