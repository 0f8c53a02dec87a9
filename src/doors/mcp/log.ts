import type { Writable } from 'node:stream';

/** One JSON document per line, on stderr: stdout belongs to the protocol. Headers and inputs are never written. */

export type LogLevel = 'quiet' | 'info' | 'debug';
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
  /** Writes what is held back. */
  flush?(): void;
}

export interface LogLimits {
  /** Lines per second; whoever knocks a thousand times does not fill a disk. */
  readonly mostPerSecond: number;
  readonly mostTextLength: number;
  /** When the reader is slower than this much text, lines are dropped. */
  readonly mostWaitingBytes: number;
}

const usualLimits: LogLimits = { mostPerSecond: 200, mostTextLength: 500, mostWaitingBytes: 256 * 1024 };

const gatherMs = 100;

function shorten(value: LogFields[string], most: number): LogFields[string] {
  return typeof value === 'string' && value.length > most ? `${value.slice(0, most)}…` : value;
}

export function openLog(
  stream: Pick<Writable, 'write' | 'writableLength'>,
  level: LogLevel,
  limits: Partial<LogLimits> = {},
  now: () => number = Date.now,
): Log {
  const { mostPerSecond, mostTextLength, mostWaitingBytes } = { ...usualLimits, ...limits };
  let held = '';
  let timer: NodeJS.Timeout | null = null;
  let second = 0;
  let written = 0;
  let dropped = 0;

  const flush = (): void => {
    if (held !== '') stream.write(held);
    held = '';
  };
  /** The first line goes out at once and the next ones together: a write costs as much as a small call. */
  const put = (line: string): void => {
    held += line;
    if (timer !== null) return;
    flush();
    timer = setTimeout(() => {
      timer = null;
      flush();
    }, gatherMs);
    timer.unref();
  };

  const write = (name: string, event: string, fields: LogFields): void => {
    const time = now();
    if (Math.floor(time / 1000) !== second) {
      second = Math.floor(time / 1000);
      written = 0;
    }
    if (written >= mostPerSecond || stream.writableLength > mostWaitingBytes) {
      dropped += 1;
      return;
    }
    written += 1;
    const shown = Object.entries(fields).map(([key, value]) => [key, shorten(value, mostTextLength)]);
    const line = { time: new Date(time).toISOString(), level: name, event, ...Object.fromEntries(shown) };
    put(`${JSON.stringify(dropped === 0 ? line : { ...line, droppedLines: dropped })}\n`);
    dropped = 0;
  };
  return {
    info: (event, fields = {}) => (level === 'quiet' ? undefined : write('info', event, fields)),
    debug: (event, fields = {}) => (level === 'debug' ? write('debug', event, fields) : undefined),
    flush,
  };
}
