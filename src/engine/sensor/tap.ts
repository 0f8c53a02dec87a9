import { type Completeness, type Event, momentNow } from '../../base/event-schema.ts';
import type { SensorDescription, Sighting } from './contract.ts';
import { bytesField } from './fields.ts';

/**
 * The sensor `tap`: every message that goes to a target and comes from it, one JSON-RPC message per line. It only looks:
 * what is no JSON is a message too, and nothing is changed, held up or left out.
 */

export const tap: SensorDescription = {
  id: 'tap',
  title: 'every JSON-RPC message in both directions',
  backends: [],
  sees: ['message', 'leak'],
  cannot: [{ id: 'long-lines', path: '', what: 'the inside of a message beyond its first 256 KiB', effect: 'open' }],
};

export type Direction = 'to-target' | 'from-target';

const keptBytes = 256 * 1024;
/** A line is looked at whole up to here; of a longer one the beginning is kept and the rest counted. */
const longestLine = 4 * 1024 * 1024;
const longestName = 200;

export interface Exchange {
  /** A request went out and waits for its answer. */
  started(call: string): void;
  ended(call: string): void;
}

interface Half {
  chunks: Buffer[];
  bytes: number;
  dropped: number;
}

function emptyHalf(): Half {
  return { chunks: [], bytes: 0, dropped: 0 };
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly requestId?: unknown };
}

function parse(line: Buffer): Message | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Message) : null;
  } catch {
    return null;
  }
}

function isId(id: unknown): id is string | number {
  return (typeof id === 'string' && id.length <= longestName) || typeof id === 'number';
}

/** Ids are the client's own; a name is added so that people see which call it was. */
function callName({ id, method, params }: Message, prefix: string): string {
  const name = typeof params?.name === 'string' ? params.name.replace(/[^\w./:-]/g, '?').slice(0, 64) : '';
  const plainMethod = String(method)
    .replace(/[^\w./:-]/g, '?')
    .slice(0, 64);
  return `${prefix}${String(id)}:${plainMethod}${name === '' ? '' : `:${name}`}`.slice(0, longestName);
}

export class Tap {
  readonly #see: (sighting: Sighting) => void;
  readonly #exchange: Exchange;
  readonly #prefix: string;
  readonly #halves: Record<Direction, Half> = { 'to-target': emptyHalf(), 'from-target': emptyHalf() };
  /** By the id that the answer will have. */
  readonly #waiting = new Map<string, string>();
  #received = 0;
  #truncated = 0;

  /** A prefix tells the calls of several conversations in one run apart. */
  constructor(see: (sighting: Sighting) => void, exchange: Exchange, prefix = '') {
    this.#see = see;
    this.#exchange = exchange;
    this.#prefix = prefix;
  }

  /** The bytes as they pass; a message is told when its line is whole. */
  feed(direction: Direction, bytes: Uint8Array): void {
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      keep(this.#halves[direction], rest.subarray(0, end));
      this.#tell(direction);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) keep(this.#halves[direction], rest);
  }

  #tell(direction: Direction): void {
    const half = this.#halves[direction];
    const line = Buffer.concat(half.chunks);
    const { dropped } = half;
    this.#halves[direction] = emptyHalf();
    if (line.length === 0) return;
    this.#received += 1;
    const message = dropped === 0 ? parse(line) : null;
    const isCut = line.length + dropped > keptBytes;
    if (isCut) this.#truncated += 1;
    if (message !== null && direction === 'to-target') this.#noteRequest(message);
    this.#see({
      kind: 'message',
      at: momentNow(),
      fields: {
        direction,
        sizeBytes: line.length + dropped,
        isJson: message !== null,
        ...describe(message),
        content: bytesField(line, keptBytes, line.length + dropped),
      },
      ...(isCut ? { truncated: ['content'] } : {}),
    });
    if (message !== null && direction === 'from-target') this.#noteAnswer(message);
  }

  #noteRequest(message: Message): void {
    // Whoever no longer waits for an answer has ended the call.
    if (message.method === 'notifications/cancelled') this.#end(message.params?.requestId);
    if (!isId(message.id) || typeof message.method !== 'string') return;
    const call = callName(message, this.#prefix);
    this.#waiting.set(JSON.stringify(message.id), call);
    this.#exchange.started(call);
  }

  #noteAnswer({ id, method }: Message): void {
    if (method === undefined) this.#end(id);
  }

  #end(id: unknown): void {
    if (!isId(id)) return;
    const key = JSON.stringify(id);
    const call = this.#waiting.get(key);
    if (call === undefined) return;
    this.#waiting.delete(key);
    this.#exchange.ended(call);
  }

  /** What came without an end of line is a message that was cut off. */
  close(): Completeness {
    this.#tell('to-target');
    this.#tell('from-target');
    for (const call of this.#waiting.values()) this.#exchange.ended(call);
    return {
      source: 'tap',
      attachedBeforeExec: true,
      received: this.#received,
      dropped: 0,
      merged: 0,
      truncated: this.#truncated,
      missingPoints: [],
      heartbeats: { expected: 0, seen: 0 },
    };
  }
}

function keep(half: Half, part: Buffer): void {
  const room = Math.max(0, longestLine - half.bytes);
  const kept = Buffer.from(part.subarray(0, room));
  if (kept.length > 0) half.chunks.push(kept);
  half.bytes += kept.length;
  half.dropped += part.length - kept.length;
}

function describe(message: Message | null): Event['fields'] {
  if (message === null) return {};
  const { id, method } = message;
  return {
    ...(isId(id) ? { id } : {}),
    ...(typeof method === 'string' ? { method: bytesField(Buffer.from(method), longestName) } : {}),
  };
}
