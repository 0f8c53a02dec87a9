import { TargetError } from '../../../base/errors.ts';
import { type BridgeCaps, defaultBridgeCaps } from './contract.ts';
import { objectToTrailer, readField } from './fields.ts';
import { longestChunkLine, readChunkSize } from './framing.ts';
import { LineBuffer } from './line-buffer.ts';
import { type RequestHead, readHead, readRequestLine, type Way } from './request-head.ts';

/**
 * Reads the requests of one connection, one after the other, in whatever pieces they arrive. Heads are held until they
 * are whole and found to be unambiguous; bodies are given on as they come. After a refusal there is nothing more.
 */

export type Step =
  | { readonly is: 'more' }
  | { readonly is: 'head'; readonly head: RequestHead }
  /** To be sent on as it is. */
  | { readonly is: 'body'; readonly bytes: Buffer }
  /** The request is whole. */
  | { readonly is: 'end' }
  | { readonly is: 'refused'; readonly because: string };

type State = 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailers' | 'end' | 'over';

export interface ReaderOptions extends Way {
  readonly caps?: Pick<BridgeCaps, 'headBytes' | 'targetBytes' | 'headers'>;
  /** Names, with `-` for every sign, that may not come after a body. */
  readonly isGuarded?: (plainName: string) => boolean;
}

const lineEnd = 2;
const more: Step = { is: 'more' };

export class RequestReader {
  readonly #options: ReaderOptions;
  readonly #caps: Pick<BridgeCaps, 'headBytes' | 'targetBytes' | 'headers'>;
  readonly #line = new LineBuffer();
  #input: Buffer = Buffer.alloc(0);
  #state: State = 'head';
  #lines: string[] = [];
  #headBytes = 0;
  /** Of the body, or of the chunk. */
  #left = 0;
  #isLast = false;
  #refused: Step | null = null;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#caps = options.caps ?? defaultBridgeCaps;
  }

  /** Whether the stream may end here: between two requests. */
  get isBetween(): boolean {
    const isFresh = this.#state === 'head' && this.#lines.length === 0 && this.#line.isEmpty;
    return this.#refused === null && this.#input.length === 0 && (isFresh || this.#state === 'over');
  }

  /** Only after `next` has asked for more. */
  push(bytes: Buffer): void {
    this.#input = this.#input.length === 0 ? bytes : Buffer.concat([this.#input, bytes]);
  }

  next(): Step {
    if (this.#refused !== null) return this.#refused;
    try {
      return this.#advance();
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      this.#refused = { is: 'refused', because: error.message };
      return this.#refused;
    }
  }

  #advance(): Step {
    if (this.#state === 'end') {
      this.#state = this.#isLast ? 'over' : 'head';
      return { is: 'end' };
    }
    if (this.#input.length === 0) return more;
    switch (this.#state) {
      case 'head':
        return this.#readHead();
      case 'length':
      case 'chunk-data':
        return this.#readData();
      case 'chunk-size':
        return this.#readChunkSize();
      case 'chunk-end':
        return this.#readChunkEnd();
      case 'trailers':
        return this.#readTrailers();
      case 'over':
        throw new TargetError('bytes after the last request');
    }
  }

  /** Null when the line is not all there. */
  #takeLine(most: number): string | null {
    const step = this.#line.take(this.#input, most);
    if (step.is === 'refused') throw new TargetError(step.because);
    this.#input = step.is === 'more' ? Buffer.alloc(0) : this.#input.subarray(step.taken);
    return step.is === 'more' ? null : step.text;
  }

  /** A line of a head or of trailers, which have a size together. */
  #takeHeadLine(): string | null {
    const line = this.#takeLine(this.#caps.headBytes - this.#headBytes - lineEnd);
    if (line !== null) this.#headBytes += line.length + lineEnd;
    return line;
  }

  #readHead(): Step {
    if (this.#lines.length === 0 && this.#line.isEmpty) this.#tasteMethod();
    for (let line = this.#takeHeadLine(); line !== null; line = this.#takeHeadLine()) {
      if (line === '') return this.#finishHead();
      if (this.#lines.length > this.#caps.headers) throw new TargetError('too many headers');
      // At once: what is no request may never come to the end of a head.
      if (this.#lines.length === 0) readRequestLine(line, this.#caps.targetBytes);
      this.#lines.push(line);
    }
    return more;
  }

  /** What is no HTTP at all need not be waited for. */
  #tasteMethod(): void {
    const first = this.#input[0] ?? 0;
    if (first < 0x41 || first > 0x5a) throw new TargetError('not a request of HTTP');
  }

  #finishHead(): Step {
    const head = readHead(this.#lines, this.#options, this.#caps.targetBytes);
    const { framing } = head;
    this.#lines = [];
    this.#headBytes = 0;
    this.#isLast = head.isLast;
    this.#left = framing.is === 'length' ? framing.length : 0;
    this.#state = framing.is === 'chunked' ? 'chunk-size' : this.#left > 0 ? 'length' : 'end';
    return { is: 'head', head };
  }

  #readData(): Step {
    const bytes = this.#input.subarray(0, this.#left);
    this.#input = this.#input.subarray(bytes.length);
    this.#left -= bytes.length;
    if (this.#left === 0) this.#state = this.#state === 'length' ? 'end' : 'chunk-end';
    return { is: 'body', bytes };
  }

  #readChunkSize(): Step {
    const line = this.#takeLine(longestChunkLine);
    if (line === null) return more;
    this.#left = readChunkSize(line);
    this.#state = this.#left > 0 ? 'chunk-data' : 'trailers';
    return { is: 'body', bytes: Buffer.from(`${line}\r\n`, 'latin1') };
  }

  #readChunkEnd(): Step {
    if (this.#takeLine(0) === null) return more;
    this.#state = 'chunk-size';
    return { is: 'body', bytes: Buffer.from('\r\n') };
  }

  #readTrailers(): Step {
    const line = this.#takeHeadLine();
    if (line === null) return more;
    if (line === '') {
      this.#lines = [];
      this.#headBytes = 0;
      this.#state = 'end';
    } else {
      objectToTrailer(readField(line), this.#options.isGuarded ?? (() => false));
      if (this.#lines.length >= this.#caps.headers) throw new TargetError('too many headers');
      this.#lines.push(line);
    }
    return { is: 'body', bytes: Buffer.from(`${line}\r\n`, 'latin1') };
  }
}
