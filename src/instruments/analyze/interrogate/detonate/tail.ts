import type { Readable } from 'node:stream';

/** The end of what a stream said, with a cap on what is kept. */
export class Tail {
  #kept = Buffer.alloc(0);
  bytes = 0;
  readonly #mostBytes: number;

  constructor(stream: Readable, mostBytes: number) {
    this.#mostBytes = mostBytes;
    stream.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-mostBytes);
    });
    stream.on('error', () => undefined);
  }

  /** Begins at a whole line where something was cut off. */
  get text(): string {
    const text = this.#kept.toString('utf8');
    return this.bytes <= this.#mostBytes ? text : text.slice(text.indexOf('\n') + 1);
  }

  get droppedBytes(): number {
    return Math.max(0, this.bytes - this.#mostBytes);
  }
}
