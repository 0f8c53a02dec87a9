import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { HostError } from '../../base/errors.ts';
import { type Event, eventSchema, momentNow, type Observation } from '../../base/event-schema.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';

/**
 * The log of one run: one event per line, appended in order, readable while it grows. Whoever adds faster than the disk
 * takes is made to wait: nothing is dropped here.
 */

const flushBytes = 256 * 1024;
/** The largest request that is kept, in base64, and more. */
const maxLineBytes = 32 * 1024 * 1024;

export interface EventSink {
  /** Resolves, with the event as it stands in the log, when there is room for more. */
  add(observation: Observation): Promise<Event>;
}

export class EventLog implements EventSink {
  readonly #file: FileHandle;
  readonly #run: string;
  #seq = 0;
  #pending: string[] = [];
  #pendingBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #isScheduled = false;
  #failure: Error | null = null;

  private constructor(file: FileHandle, run: string) {
    this.#file = file;
    this.#run = run;
  }

  static async create(path: string, run: string): Promise<EventLog> {
    return new EventLog(await open(path, 'ax', 0o600), run);
  }

  get count(): number {
    return this.#seq;
  }

  async add(observation: Observation): Promise<Event> {
    if (this.#failure !== null) throw this.#failure;
    const at = observation.at ?? momentNow();
    const event: Event = { seq: this.#seq, run: this.#run, ...observation, at };
    const line = `${JSON.stringify(event)}\n`;
    this.#seq += 1;
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // Lines of one turn of the loop go to the disk together.
      setImmediate(() => this.#flush());
    }
    if (this.#pendingBytes > flushBytes) {
      this.#flush();
      await this.#writing;
    }
    if (this.#failure !== null) throw this.#failure;
    return event;
  }

  #flush(): void {
    this.#isScheduled = false;
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingBytes = 0;
    if (text === '') return;
    this.#writing = this.#writing.then(async () => {
      try {
        if (this.#failure === null) await this.#file.appendFile(text);
      } catch (cause) {
        this.#failure = new HostError(`cannot write events: ${(cause as Error).message}`, { cause });
      }
    });
  }

  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
    await this.#file.close();
    if (this.#failure !== null) throw this.#failure;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Reads a log from its beginning. A last line that is still being written is left out; a broken one is an error. */
export async function* readEvents(path: string): AsyncIterable<Event> {
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: flushBytes });
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let previous: string | null = null;
  let number = 0;
  for await (const line of lines) {
    if (previous !== null) yield parseEvent(previous, number);
    previous = line;
    number += 1;
  }
  if (previous === null) return;
  const last = tryParse(previous);
  if (last !== null) yield last;
}

function tryParse(line: string): Event | null {
  try {
    return eventSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function parseEvent(line: string, number: number): Event {
  const event = line.length > maxLineBytes ? null : tryParse(line);
  if (event === null)
    throw new HostError(`line ${number} of the event log is no event: ${forTerminal(untrusted(line, 200))}`);
  return event;
}
