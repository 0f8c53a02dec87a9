import { type FileHandle, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { type Event, eventSchema } from '../../../base/event-schema.ts';
import { kibibyte, mebibyte } from '../../../base/limits.ts';
import { openRegularFile } from '../../../base/regular-file.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/**
 * The events of a run as somebody hands them in: a file that may be of another version, broken, huge, still growing or
 * no log at all. Read in pieces, so that a log of any length takes the same memory.
 */

export const eventFileName = 'events.ndjson';
const readBytes = 256 * kibibyte;
const largestLineBytes = 8 * mebibyte;

export interface Entry {
  readonly event: Event;
  /** The line as it stands in the file. */
  readonly line: string;
}

const quote = (path: string): string => forTerminal(untrusted(JSON.stringify(path)));

function cannotRead(path: string, cause: unknown): UsageError {
  const hint = `a file ${eventFileName}, or the folder of a run that holds one`;
  const why = forTerminal(untrusted(describeError(cause)));
  return new UsageError(`cannot read events from ${quote(path)}: ${why}`, { hint, cause });
}

export class EventFile {
  readonly path: string;
  readonly #file: FileHandle;
  #number = 0;
  #hasOpenEnd = false;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** @throws UsageError when there is nothing that could be read. */
  static async open(path: string): Promise<EventFile> {
    try {
      const isFolder = (await stat(path)).isDirectory();
      const whole = isFolder ? join(path, eventFileName) : path;
      return new EventFile(whole, await openRegularFile(whole, { links: 'followed' }));
    } catch (cause) {
      throw cannotRead(path, cause);
    }
  }

  get folder(): string {
    return dirname(this.path);
  }

  /** True once everything is read, when the last line was no event: it is still being written. */
  get hasOpenEnd(): boolean {
    return this.#hasOpenEnd;
  }

  /** Only the events in whose line the text occurs; others are not even looked at. May be read before `batches`. */
  async *mentions(text: string): AsyncGenerator<readonly Entry[]> {
    for await (const lines of this.#lines())
      yield lines.flatMap((line) => (line.includes(text) ? (parse(line) ?? []) : []));
  }

  /** @throws UsageError for a line that is no event, unless it is the last one. */
  async *batches(): AsyncGenerator<readonly Entry[]> {
    this.#number = 0;
    // One line is held back: only whoever has seen the next one knows that it was not the last.
    let held: Buffer | null = null;
    for await (const lines of this.#lines()) {
      const whole: readonly Buffer[] = held === null ? lines : [held, ...lines];
      held = whole.at(-1) ?? null;
      const entries = whole.slice(0, -1).map((line) => this.#entry(line));
      if (entries.length > 0) yield entries;
    }
    if (held === null) return;
    const last = parse(held);
    this.#hasOpenEnd = last === null;
    if (last !== null) yield [last];
  }

  async *#lines(): AsyncGenerator<readonly Buffer[]> {
    let rest: Buffer = Buffer.alloc(0);
    let count = 0;
    const buffer = Buffer.alloc(readBytes);
    for (let position = 0; ; ) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const lines: Buffer[] = [];
      let start = 0;
      const chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      // What was left over has no end of line in it.
      for (let end = chunk.indexOf(10, rest.length); end !== -1; end = chunk.indexOf(10, start)) {
        lines.push(chunk.subarray(start, end));
        start = end + 1;
      }
      rest = chunk.subarray(start);
      count += lines.length;
      if (lines.length > 0) yield lines;
      if (rest.length > largestLineBytes) throw this.#broken(count + 1, `it is longer than ${largestLineBytes} bytes`);
    }
    if (rest.length > 0) yield [rest];
  }

  #entry(line: Buffer): Entry {
    this.#number += 1;
    const entry = parse(line);
    if (entry === null) throw this.#broken(this.#number, forTerminal(untrusted(line, 200)));
    return entry;
  }

  #broken(number: number, why: string): UsageError {
    return new UsageError(`${quote(this.path)}: line ${number} is no event: ${why}`);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function parse(bytes: Buffer): Entry | null {
  try {
    const line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = eventSchema.safeParse(JSON.parse(line));
    return parsed.success ? { event: parsed.data, line } : null;
  } catch {
    return null;
  }
}
