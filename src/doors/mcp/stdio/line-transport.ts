import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { mebibyte, secondMs } from '../../../base/limits.ts';
import { LineReader } from './line-reader.ts';
import { type Refusal, readMessage } from './read-message.ts';

/** Messages over a pair of pipes, one per line. What cannot be read is answered and not swallowed. */

const mostUnreadBytes = 4 * mebibyte;

export interface LineTransportOptions {
  readonly mostLineBytes?: number;
  /** How long answers under way may take after the client has said all it had to say. */
  readonly drainMs?: number;
  readonly onRefusal?: (refusal: Refusal) => void;
}

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #reader: LineReader;
  readonly #drainMs: number;
  readonly #onRefusal: (refusal: Refusal) => void;
  /** Requests that were handed on and not answered yet. */
  readonly #open = new Set<string | number>();
  #isClosed = false;
  #isEnding = false;
  #isHeld = false;
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(input: Readable, output: Writable, options: LineTransportOptions = {}) {
    this.#input = input;
    this.#output = output;
    this.#reader = new LineReader(options.mostLineBytes ?? 4 * mebibyte);
    this.#drainMs = options.drainMs ?? secondMs;
    this.#onRefusal = options.onRefusal ?? (() => {});
  }

  async start(): Promise<void> {
    this.#output.on('error', this.#abandon);
    this.#input.on('data', this.#take);
    this.#input.on('error', this.#abandon);
    this.#input.on('end', this.#end);
    this.#input.on('close', this.#end);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error('the client has gone');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    this.#holdBack();
    await promise;
    if (!('method' in message) && 'id' in message && message.id !== undefined) this.#open.delete(message.id);
    if (this.#isEnding && this.#open.size === 0) await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#drainTimer);
    this.#input.off('data', this.#take);
    this.#input.pause();
    this.onclose?.();
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#open.add(message.id);
    // What is cancelled gets no answer, and nobody waits for one.
    const cancelled = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
    if (typeof cancelled === 'string' || typeof cancelled === 'number') this.#open.delete(cancelled);
  }

  /** A client that asks and does not read is not listened to until it has read. */
  #holdBack(): void {
    if (this.#isHeld || this.#output.writableLength <= mostUnreadBytes) return;
    this.#isHeld = true;
    this.#input.pause();
    this.#output.once('drain', () => {
      this.#isHeld = false;
      if (!this.#isClosed) this.#input.resume();
    });
  }

  readonly #take = (chunk: Buffer | string): void => {
    for (const line of this.#reader.take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) {
      if (this.#isClosed) return;
      const read = readMessage(line);
      if (read === null) continue;
      if ('refused' in read) {
        this.#onRefusal(read.refused);
        this.send(read.answer).catch(() => {});
        continue;
      }
      const { message } = read;
      this.#note(message);
      this.onmessage?.(message);
    }
  };

  readonly #end = (): void => {
    if (this.#isEnding || this.#isClosed) return;
    this.#isEnding = true;
    this.#drainTimer = setTimeout(() => void this.close(), this.#open.size === 0 ? 0 : this.#drainMs);
  };

  readonly #abandon = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };
}
