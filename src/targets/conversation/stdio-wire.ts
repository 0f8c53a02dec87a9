import type { Readable, Writable } from 'node:stream';
import type { Tap } from '../../engine/sensor/tap.ts';
import { FrameReader } from './frame-reader.ts';
import type { ConversationLimits } from './limits.ts';
import { parseJson } from './parse-frame.ts';
import type { Framing, Outgoing, Wire, WireListener } from './wire.ts';

/** Messages over the standard input and output of a process. */

export interface StdioEnds {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly tap?: Pick<Tap, 'feed'>;
  /** A process that is gone may have left others that hold its output open. */
  readonly exited?: Promise<unknown>;
}

const lastWordsMs = 500;

export class StdioWire implements Wire {
  readonly #ends: StdioEnds;
  readonly #limits: ConversationLimits;
  readonly #reader: FrameReader;
  #listener: WireListener | null = null;
  #framing: Framing = 'lines';
  #turnBytes = 0;
  #turnFrames = 0;
  #isPaused = false;
  #isOver = false;
  #isInputBroken = false;
  #settle: NodeJS.Timeout | null = null;
  #lastWords: NodeJS.Timeout | null = null;
  readonly #over = Promise.withResolvers<void>();

  constructor(ends: StdioEnds, limits: ConversationLimits) {
    this.#ends = ends;
    this.#limits = limits;
    this.#reader = new FrameReader(
      {
        frame: (bytes) => {
          this.#turnFrames += 1;
          this.#listener?.frame(bytes);
        },
        cut: (frame) => this.#listener?.cut(frame),
        passed: (bytes) => ends.tap?.feed('from-target', bytes),
      },
      limits.frameBytes,
    );
  }

  listen(listener: WireListener): void {
    const { stdin, stdout, exited } = this.#ends;
    this.#listener = listener;
    stdin.on('error', () => {
      this.#isInputBroken = true;
    });
    stdout.on('data', this.#onData);
    stdout.once('end', this.#onEnd).once('close', this.#onEnd).once('error', this.#onEnd);
    void exited
      ?.catch(() => undefined)
      .then(() => {
        if (!this.#isOver) this.#lastWords = setTimeout(this.#onEnd, lastWordsMs);
      });
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#reader.push(bytes);
    this.#turnBytes += bytes.length;
    this.#restartSettling();
    this.#lastWords?.refresh();
    const { turnBytes, turnFrames } = this.#limits;
    if ((this.#turnBytes <= turnBytes && this.#turnFrames <= turnFrames) || this.#isPaused) return;
    // The server now waits for us, as it would for any reader that is slow.
    this.#isPaused = true;
    this.#ends.stdout.pause();
    this.#listener?.flooded();
  };

  /** Some servers print a message and no end of line. */
  #restartSettling(): void {
    if (this.#settle !== null) clearTimeout(this.#settle);
    this.#settle = null;
    if (!this.#reader.hasUnfinished || this.#reader.isCutting) return;
    this.#settle = setTimeout(() => {
      const text = this.#reader.unfinished.toString('utf8').trimEnd();
      if (/[}\]]$/.test(text) && parseJson(text.replace(/^\uFEFF/, '')) !== undefined) this.#reader.flush();
    }, this.#limits.settleMs);
  }

  readonly #onEnd = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#settle !== null) clearTimeout(this.#settle);
    if (this.#lastWords !== null) clearTimeout(this.#lastWords);
    this.#reader.flush();
    this.#listener?.gone();
    this.#over.resolve();
  };

  get unreadBytes(): number {
    return this.#ends.stdin.writableLength;
  }

  get isCutting(): boolean {
    return this.#reader.isCutting;
  }

  /** How we speak. A server that answers in frames has understood us as we are. */
  get framing(): Framing {
    return this.#framing;
  }

  set framing(framing: Framing | null) {
    // To a server that reads lines, what went out in frames was the beginning of one.
    if (this.#framing === 'content-length' && framing === 'lines' && !this.#isInputBroken) this.#ends.stdin.write('\n');
    this.#framing = framing ?? 'lines';
  }

  beginTurn(): void {
    this.#turnBytes = 0;
    this.#turnFrames = 0;
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#ends.stdout.resume();
  }

  endTurn(): void {
    // Nothing is held for a single request.
  }

  agree(): void {
    // Versions differ in what messages say, not in how they are carried here.
  }

  send({ message }: Outgoing): void {
    const { stdin, tap } = this.#ends;
    const isRequest = typeof message.method === 'string' && typeof message.id === 'number';
    if (this.#isInputBroken || stdin.destroyed || stdin.writableEnded) {
      if (isRequest) this.#listener?.failed(Number(message.id), 'gone', 'the server has closed its input');
      return;
    }
    const text = JSON.stringify(message);
    tap?.feed('to-target', Buffer.from(`${text}\n`));
    const length = Buffer.byteLength(text);
    stdin.write(this.framing === 'lines' ? `${text}\n` : `Content-Length: ${length}\r\n\r\n${text}`);
  }

  async close(): Promise<void> {
    const { stdin, stdout } = this.#ends;
    // Whoever was not read any more has nothing to say to the end either.
    if (this.#isPaused) this.#onEnd();
    if (!stdin.destroyed) stdin.end();
    const timer = setTimeout(this.#over.resolve, this.#limits.closeMs);
    await this.#over.promise;
    clearTimeout(timer);
    this.#onEnd();
    stdout.off('data', this.#onData);
    // What still comes is nobody's; a reader that stopped would hold its process up.
    stdout.resume();
  }
}
