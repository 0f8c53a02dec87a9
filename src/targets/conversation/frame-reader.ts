import { gibibyte, kibibyte } from '../../base/limits.ts';
import { Accumulator } from './accumulator.ts';
import type { CutFrame } from './wire.ts';

/**
 * Bytes of a server's output, cut into frames. Two forms are understood, and may be mixed:
 *
 *     {"jsonrpc":"2.0",…}⏎                        one message per line, as MCP wants it
 *     Content-Length: 42⏎⏎{"jsonrpc":"2.0",…}      a header, an empty line, and that many bytes
 *
 * A header counts as one only when an empty line and a body that could be JSON follow: servers also print such lines.
 */

export interface FrameSink {
  frame(bytes: Buffer): void;
  cut(frame: CutFrame): void;
  /** The bytes of messages as they pass, always one message per line. */
  passed(bytes: Buffer): void;
}

const newline = 10;
const longestHeader = 200;
const mostHeaders = 8;
const headKept = 64 * kibibyte;
const lengthHeader = /^content-length:[ \t]*(\d{1,10})[ \t]*$/i;
const otherHeader = /^[a-z][a-z-]*:[ \t]*[ -~]*$/i;
const lineEnd = Buffer.from('\n');

function isJsonStart(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x20 || byte === 0x0d || byte === 0x0a || byte === 0x09;
}

/** Between the tokens of JSON a new line is a space, and inside of them it cannot be. */
export function onOneLine(part: Buffer): Buffer {
  if (!part.includes(newline)) return part;
  const copy = Buffer.from(part);
  for (let at = copy.indexOf(newline); at !== -1; at = copy.indexOf(newline, at + 1)) copy[at] = 0x20;
  return copy;
}

export class FrameReader {
  readonly #sink: FrameSink;
  readonly #line: Accumulator;
  /** Lines of a header whose end has not come; empty outside of one. */
  #header: Buffer[] = [];
  /** Bytes of a body that are still to come; null outside of one. */
  #bodyLeft: number | null = null;
  #length = 0;
  /** Bytes of this line that the sink has seen. */
  #passed = 0;

  constructor(sink: FrameSink, frameBytes: number) {
    this.#sink = sink;
    this.#line = new Accumulator(frameBytes);
  }

  get isCutting(): boolean {
    return this.#line.isCut;
  }

  /** What has come of a line that has no end yet. */
  get unfinished(): Buffer {
    return this.#bodyLeft === null && !this.#line.isCut ? this.#line.peek() : Buffer.alloc(0);
  }

  get hasUnfinished(): boolean {
    return this.#line.bytes > 0;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0)
      rest = this.#bodyLeft === null ? this.#takeLine(rest) : this.#takeBody(rest, this.#bodyLeft);
  }

  /** Takes what is there for whole: at the end of the stream, or after a silence. */
  flush(): void {
    for (const line of this.#header.splice(0)) this.#emitLine(line, 0);
    if (this.#line.bytes === 0) return;
    this.#bodyLeft = null;
    this.#endFrame();
  }

  #takeLine(rest: Buffer): Buffer {
    const end = rest.indexOf(newline);
    const part = end === -1 ? rest : rest.subarray(0, end);
    const before = this.#line.bytes;
    this.#line.add(part);
    // A line too long for a header is shown at once, whatever its end will be.
    if (this.#line.bytes > longestHeader) {
      if (this.#passed === 0 && before > 0) this.#sink.passed(this.#line.peek().subarray(0, before));
      if (part.length > 0) this.#sink.passed(part);
      this.#passed = this.#line.bytes;
    }
    if (end === -1) return rest.subarray(rest.length);
    this.#endLine();
    return rest.subarray(end + 1);
  }

  #endLine(): void {
    if (this.#line.bytes > longestHeader || this.#line.isCut) {
      for (const line of this.#header.splice(0)) this.#emitLine(line, 0);
      this.#endFrame();
      return;
    }
    const line = this.#line.take();
    const text = line.toString('latin1').replace(/\r$/, '');
    if (this.#header.length === 0) {
      const length = Number(lengthHeader.exec(text)?.[1] ?? Number.NaN);
      if (length > 0 && length <= gibibyte) this.#beginHeader(line, length);
      else this.#emitLine(line, 0);
      return;
    }
    if (text === '') this.#bodyLeft = this.#length;
    else if (otherHeader.test(text) && this.#header.length < mostHeaders) this.#header.push(line);
    else for (const each of [...this.#header.splice(0), line]) this.#emitLine(each, 0);
  }

  #beginHeader(line: Buffer, length: number): void {
    this.#header = [line];
    this.#length = length;
  }

  #takeBody(rest: Buffer, left: number): Buffer {
    if (this.#line.bytes === 0 && !isJsonStart(rest[0])) {
      this.#bodyLeft = null;
      for (const line of this.#header.splice(0)) this.#emitLine(line, 0);
      return rest;
    }
    this.#header = [];
    const part = rest.subarray(0, left);
    this.#line.add(part);
    this.#sink.passed(onOneLine(part));
    this.#passed = this.#line.bytes;
    this.#bodyLeft = left - part.length;
    if (this.#bodyLeft > 0) return rest.subarray(part.length);
    this.#bodyLeft = null;
    this.#endFrame();
    return rest.subarray(part.length);
  }

  #endFrame(): void {
    const passed = this.#passed;
    if (!this.#line.isCut) {
      this.#emitLine(this.#line.take(), passed);
      return;
    }
    this.#passed = 0;
    this.#sink.passed(lineEnd);
    this.#sink.cut(this.#line.takeCut(headKept));
  }

  #emitLine(line: Buffer, passed: number): void {
    this.#passed = 0;
    if (passed === 0) this.#sink.passed(line);
    this.#sink.passed(lineEnd);
    if (line.length > 0) this.#sink.frame(line);
  }
}
