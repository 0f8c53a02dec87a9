import type { Event, EventKind } from '../../../base/event-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Detonation } from '../report/schema.ts';

/** What happened in the cell, in order and in one line each. */

const shownKinds: ReadonlySet<EventKind> = new Set<EventKind>([
  'exec',
  'unlink',
  'rename',
  'link',
  'chmod',
  'mkdir',
  'connect',
  'bind',
  'listen',
  'send-to',
  'dns-query',
  'http-request',
  'tls-hello',
  'bait-read',
  'leak',
  'ptrace',
  'memfd',
  'set-user',
  'kernel',
  'limit-hit',
  'denied',
  'disk-change',
]);
const mostEntries = 300;
const mostTextBytes = 240;

/** Bytes of a target as events keep them, and anything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if ('text' in value && typeof value.text === 'string') return value.text;
  if ('base64' in value && typeof value.base64 === 'string')
    return Buffer.from(value.base64, 'base64').toString('latin1');
  return JSON.stringify(value);
}

type Fields = Event['fields'];

const word = (fields: Fields, key: string): string => (fields[key] === undefined ? '' : textOf(fields[key]));

function address(fields: Fields): string {
  const name = word(fields, 'address');
  return name === '' ? `${word(fields, 'family')} ${word(fields, 'path')}` : `${name} port ${word(fields, 'port')}`;
}

function questions({ questions: asked }: Fields): string {
  if (!Array.isArray(asked)) return '';
  return asked
    .map((each) =>
      typeof each === 'object' && each !== null ? Object.values(each).map(textOf).join(' ') : textOf(each),
    )
    .join(', ');
}

function agent({ headers }: Fields): string {
  if (!Array.isArray(headers)) return '';
  const found = headers.find((each) => Array.isArray(each) && textOf(each[0]).toLowerCase() === 'user-agent');
  return Array.isArray(found) ? ` (User-Agent: ${textOf(found[1])})` : '';
}

/** What is worth a line of each kind of event; the others are told with all of their fields. */
const tellers: Readonly<Partial<Record<EventKind, (fields: Fields) => string>>> = {
  exec: (fields) => word(fields, 'argv') || word(fields, 'path'),
  open: (fields) => `${fields.creates === true ? 'creates or writes' : 'writes'} ${word(fields, 'path')}`,
  connect: address,
  bind: address,
  'dns-query': questions,
  'http-request': (fields) =>
    `${word(fields, 'method')} http://${word(fields, 'host')}${word(fields, 'path')}${agent(fields)}`,
  'bait-read': (fields) => `decoy ${word(fields, 'decoy')}`,
  leak: (fields) => `${word(fields, 'planted')} left via ${word(fields, 'via')}`,
  'disk-change': (fields) => `${word(fields, 'change')} ${word(fields, 'path')}, ${word(fields, 'sizeBytes')} bytes`,
};

function describe({ kind, fields }: Event): string {
  const told =
    tellers[kind]?.(fields) ??
    Object.entries(fields)
      .map(([key, value]) => `${key}=${textOf(value)}`)
      .join(' ');
  return forTerminal(untrusted(told, mostTextBytes));
}

/** Every program opens and asks these; nothing is learned from it. */
function isNoise({ kind, fields }: Event): boolean {
  if (kind === 'connect' || kind === 'bind')
    return (
      fields.family === 'netlink' || (fields.family === 'unix' && word(fields, 'path').startsWith('/var/run/nscd/'))
    );
  if (kind === 'open') return ['/dev/null', '/dev/tty'].includes(word(fields, 'path'));
  return kind === 'send-to' && Object.keys(fields).length === 0;
}

function isShown({ kind, fields }: Event): boolean {
  if (shownKinds.has(kind)) return true;
  // Reading is what programs do all day; what they write is worth a line.
  return kind === 'open' && (fields.creates === true || fields.access === 'write' || fields.access === 'read-write');
}

export class TimelineKeeper {
  readonly #entries: Detonation['timeline'] = [];
  readonly #counts = new Map<string, number>();
  #first: bigint | null = null;
  #left = 0;

  see(event: Event): void {
    if (event.kind === 'heartbeat') return;
    const at = BigInt(event.at.monotonicNs);
    this.#first ??= at;
    this.#counts.set(event.kind, (this.#counts.get(event.kind) ?? 0) + 1);
    if (!isShown(event) || isNoise(event)) return;
    if (this.#entries.length === mostEntries) {
      this.#left += 1;
      return;
    }
    this.#entries.push({
      at_ms: Math.max(0, Number(at - this.#first) / 1e6),
      kind: event.kind,
      process:
        event.process === undefined
          ? ''
          : `${forTerminal(untrusted(textOf(event.process.name), 64))} ${event.process.pid}`,
      text: describe(event),
    });
  }

  get entries(): Detonation['timeline'] {
    return this.#entries.toSorted((left, right) => left.at_ms - right.at_ms);
  }

  /** How many lines there was no room for. */
  get left(): number {
    return this.#left;
  }

  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
}
