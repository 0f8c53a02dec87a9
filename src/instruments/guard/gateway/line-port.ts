import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../../../base/json-shape.ts';
import { FrameReader } from '../../../targets/conversation/frame-reader.ts';
import { type Incoming, readMessage } from '../../../targets/conversation/message.ts';
import { parseFrame } from '../../../targets/conversation/parse-frame.ts';

/** One end of a conversation in lines. What cannot be understood is noise, and never an error. */

export interface PortListener {
  message(incoming: Incoming): void;
  /** A message longer than the cap, as it begins. */
  cut(head: Buffer): void;
  ended(because: string): void;
}

const mostInLine = 100;

export class LinePort {
  readonly #input: Readable;
  readonly #output: Writable;
  #isOver = false;

  constructor(
    streams: { readonly input: Readable; readonly output: Writable },
    frameBytes: number,
    listener: PortListener,
  ) {
    this.#input = streams.input;
    this.#output = streams.output;
    const reader = new FrameReader(
      {
        frame: (bytes) => {
          const { values, noise } = parseFrame(bytes, mostInLine);
          for (const value of values) listener.message(readMessage(value));
          for (const text of noise) listener.message({ kind: 'noise', content: text });
        },
        cut: ({ head }) => listener.cut(head),
        passed: () => {},
      },
      frameBytes,
    );
    const end = (because: string): void => {
      if (this.#isOver) return;
      this.#isOver = true;
      reader.flush();
      listener.ended(because);
    };
    this.#input.on('data', (chunk: Buffer) => {
      if (!this.#isOver) reader.push(chunk);
    });
    this.#input.once('end', () => end('its output has ended'));
    this.#input.once('close', () => end('its output was closed'));
    this.#input.once('error', () => end('its output could not be read'));
    this.#output.on('error', () => end('its input was closed'));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** What waits to be read by the other side. */
  get unreadBytes(): number {
    return this.#output.writableLength;
  }

  /** Whether the other side keeps up. */
  send(message: JsonObject): boolean {
    if (!this.#output.writable) return true;
    return this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  onDrain(listener: () => void): void {
    this.#output.on('drain', listener);
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    if (!this.#isOver) this.#input.resume();
  }

  /** Takes nothing more, and says no more. */
  close(): void {
    this.#isOver = true;
    this.#input.removeAllListeners('data');
    this.#input.resume();
    this.#output.end();
  }
}
