import { describeError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json-shape.ts';
import type { Direction } from '../contract.ts';
import type { DirectionCounts, RelayEnd, RelayOptions } from './contract.ts';
import { MessageGate, type Passage } from './gate.ts';
import { type Line, LineReader } from './line-reader.ts';
import { OrderedWriter } from './ordered-writer.ts';

/**
 * Joins a client and a server.
 *
 *     client.input  ─ lines ─ gate ─ server.output         order is kept in each direction
 *     client.output ─ gate ─ lines ─ server.input          who does not read is not read from
 */
export class MessageRelay {
  readonly #options: RelayOptions;
  readonly #gate: MessageGate;
  readonly #writers: Readonly<Record<Direction, OrderedWriter>>;
  readonly #readers: Readonly<Record<Direction, LineReader>>;
  /** What is being done with the last chunk of a direction. */
  readonly #pending: Record<Direction, Promise<void> | null> = { 'to-server': null, 'to-client': null };
  readonly #end = Promise.withResolvers<RelayEnd>();
  readonly #detach: (() => void)[] = [];
  #isStarted = false;
  #isEnded = false;
  #hasClientEnded = false;
  #linger: NodeJS.Timeout | null = null;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#gate = new MessageGate(options);
    const { limits } = this.#gate;
    this.#readers = {
      'to-server': new LineReader(limits.messageBytes),
      'to-client': new LineReader(limits.messageBytes),
    };
    this.#writers = {
      'to-server': new OrderedWriter(options.server.output, limits, () => undefined),
      'to-client': new OrderedWriter(options.client.output, limits, () => this.#finish('client-ended')),
    };
  }

  /** Resolves when one side has ended and the other has been told. Closes the server's input, never the client's output. */
  run(): Promise<RelayEnd> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#listen('to-server');
      this.#listen('to-client');
    }
    return this.#end.promise;
  }

  get ended(): Promise<RelayEnd> {
    return this.#end.promise;
  }

  /** A message of ours. It waits for its turn and passes no rule. */
  sendToClient(message: JsonObject): void {
    this.#writers['to-client'].put(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  close(): void {
    this.#finish('closed');
  }

  #listen(direction: Direction): void {
    const { input } = direction === 'to-server' ? this.#options.client : this.#options.server;
    let hasEnded = false;
    const onData = (chunk: Buffer | string): void => {
      if (direction === 'to-client') this.#linger?.refresh();
      const pending = this.#takeChunk(direction, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      if (pending === null) return;
      input.pause();
      this.#pending[direction] = pending.then(() => {
        this.#pending[direction] = null;
        if (!this.#isEnded) input.resume();
      });
    };
    const onEnd = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      void this.#takeEnd(direction).catch((error: unknown) => this.#finish('failed', describeError(error)));
    };
    input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd);
    // The listener for errors stays: a stream that fails later must not take the process with it.
    this.#detach.push(() => {
      input.off('data', onData).off('end', onEnd).off('close', onEnd);
      input.pause();
    });
    if (input.destroyed || input.readableEnded) queueMicrotask(onEnd);
  }

  /** Null when everything is done at once, which is the usual case. */
  #takeChunk(direction: Direction, chunk: Buffer): Promise<void> | null {
    const lines = this.#readers[direction].push(chunk);
    const waitsFor = this.#takeLines(direction, lines);
    return waitsFor === null ? null : this.#takeSlowly(direction, lines, waitsFor);
  }

  /** Null when all lines are taken; otherwise the writer that has no room. */
  #takeLines(direction: Direction, lines: Iterator<Line>): OrderedWriter | null {
    for (let next = lines.next(); next.done !== true; next = lines.next()) {
      if (this.#isEnded) return null;
      const waitsFor = this.#takeLine(direction, next.value);
      if (waitsFor !== null) return waitsFor;
    }
    return null;
  }

  async #takeSlowly(direction: Direction, lines: Iterator<Line>, first: OrderedWriter): Promise<void> {
    for (let writer: OrderedWriter | null = first; writer !== null; writer = this.#takeLines(direction, lines))
      await writer.room();
  }

  /**
   * Only the writer that this line goes to is waited for: a server that reads nothing while it writes must still be read,
   * or both would wait for ever.
   */
  #takeLine(direction: Direction, line: Line): OrderedWriter | null {
    const forward = this.#writers[direction];
    const back = this.#writers[direction === 'to-server' ? 'to-client' : 'to-server'];
    const size = line.is === 'line' ? line.whole.length : 0;
    const passage = this.#gate.take(direction, line, !forward.isBroken);
    const answer = ({ forward: passes, reply }: Passage): Buffer | null => {
      if (reply !== null) back.put(reply);
      return passes;
    };
    if (passage instanceof Promise) forward.put(passage.then(answer), size);
    else {
      const passes = answer(passage);
      if (passes !== null) forward.put(passes);
    }
    if (forward.isFull) return forward;
    return back.isFull && (passage instanceof Promise || passage.reply !== null) ? back : null;
  }

  async #takeEnd(direction: Direction): Promise<void> {
    await this.#pending[direction];
    const last = this.#readers[direction].flush();
    if (last !== null && !this.#isEnded) this.#takeLine(direction, last);
    await (direction === 'to-server' ? this.#endOfClient() : this.#endOfServer());
  }

  /** The server may still answer what it was asked; how long it may be silent over that is limited. */
  async #endOfClient(): Promise<void> {
    this.#hasClientEnded = true;
    this.#linger = setTimeout(() => this.#finish('client-ended'), this.#gate.limits.lingerMs);
    await this.#writers['to-server'].flush();
    if (!this.#isEnded && !this.#writers['to-server'].isBroken) this.#options.server.output.end();
  }

  async #endOfServer(): Promise<void> {
    // Requests that are still on their way to a server that has gone are answered like those it has taken.
    this.#writers['to-server'].close();
    await this.#pending['to-server'];
    const unanswered = this.#gate.abandon();
    if (unanswered !== null) this.#writers['to-client'].put(unanswered);
    this.#linger ??= setTimeout(() => this.#finish('server-ended'), this.#gate.limits.lingerMs);
    await this.#writers['to-client'].flush();
    this.#finish(this.#hasClientEnded ? 'client-ended' : 'server-ended');
  }

  #finish(reason: RelayEnd['reason'], problem: string | null = null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#linger !== null) clearTimeout(this.#linger);
    for (const detach of this.#detach) detach();
    this.#gate.close();
    const counts = { 'to-server': this.#countsOf('to-server'), 'to-client': this.#countsOf('to-client') };
    for (const writer of Object.values(this.#writers)) writer.close();
    const { output } = this.#options.server;
    if (!output.destroyed && !output.writableEnded) output.end();
    this.#end.resolve({ reason, problem, counts });
  }

  #countsOf(direction: Direction): DirectionCounts {
    const { writtenMessages, writtenBytes } = this.#writers[direction];
    return { messages: writtenMessages, bytes: writtenBytes, ...this.#gate.tallies[direction] };
  }
}
