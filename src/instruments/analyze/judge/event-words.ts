import type { Event } from '../../../base/event-schema.ts';
import { listOf, recordOf, textOf } from '../../../engine/sensor/history/index.ts';

/** One event in words, for the boxes of a proof that is drawn. */

const titles: Partial<Readonly<Record<Event['kind'], string>>> = {
  exec: 'started a program',
  open: 'opened a file',
  unlink: 'removed a file',
  rename: 'renamed a file',
  link: 'made a link',
  mkdir: 'made a folder',
  connect: 'connected',
  'dns-query': 'asked for a name',
  'http-request': 'sent a request',
  'tls-hello': 'spoke TLS',
  'bait-read': 'read bait',
  leak: 'a planted secret left',
  'disk-change': 'left on the disk',
  message: 'a message',
};

const accesses: Readonly<Record<string, string>> = {
  read: 'to read',
  write: 'to write',
  'read-write': 'to read and write',
};

function place({ asked, host, address, port }: Event['fields']): string {
  const known = recordOf(asked);
  const name = textOf(known.name) ?? textOf(host) ?? textOf(known.address) ?? textOf(address) ?? '';
  const at = textOf(known.port) ?? textOf(port) ?? '';
  return at === '' ? name : `${name}:${at}`;
}

type Words = (fields: Event['fields']) => string;

const details: Partial<Readonly<Record<Event['kind'], Words>>> = {
  exec: ({ argv, path }) => {
    const words = listOf(argv).map((word) => textOf(word) ?? '');
    return words.length === 0 ? (textOf(path) ?? '') : words.join(' ');
  },
  open: ({ path, access, creates }) =>
    `${textOf(path) ?? ''}\n${creates === true ? 'to make it' : (accesses[String(access)] ?? '')}`.trim(),
  unlink: ({ path }) => textOf(path) ?? '',
  mkdir: ({ path }) => textOf(path) ?? '',
  rename: ({ from, to }) => `${textOf(from) ?? ''}\nto ${textOf(to) ?? ''}`,
  link: ({ from, to }) => `${textOf(from) ?? ''}\nas ${textOf(to) ?? ''}`,
  connect: (fields) => (fields.path === undefined ? place(fields) : (textOf(fields.path) ?? '')),
  connection: place,
  'dns-query': ({ questions }) =>
    listOf(questions)
      .map((question) => `${textOf(recordOf(question).name) ?? ''} ${textOf(recordOf(question).type) ?? ''}`)
      .join('\n'),
  'http-request': (fields) =>
    `${textOf(fields.method) ?? ''} ${textOf(fields.host) ?? place(fields)}${textOf(fields.path) ?? ''}`.trim(),
  'tls-hello': place,
  'bait-read': ({ decoy, path }) => textOf(path) ?? String(decoy ?? ''),
  leak: ({ planted, via, encodings }) => {
    const layers = listOf(encodings).flatMap((layer) => textOf(layer) ?? []);
    const as = layers.length === 0 ? '' : `\nas ${layers.join(' of ')}`;
    return `${textOf(planted) ?? ''}\nto ${textOf(via) ?? ''}${as}`;
  },
  'disk-change': ({ path, change }) => `${textOf(path) ?? ''}\n${textOf(change) ?? ''}`.trim(),
};

/** `{"text":"x"}` is how a log keeps bytes; people read `x`. */
function collapsed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(collapsed);
  if (typeof value !== 'object' || value === null) return value;
  if ('text' in value || 'base64' in value) return textOf(value) ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, collapsed(inner)]));
}

export function eventTitle({ kind }: Pick<Event, 'kind'>): string {
  return titles[kind] ?? kind;
}

export function eventDetail({ kind, fields }: Pick<Event, 'kind' | 'fields'>): string {
  const words = details[kind]?.(fields).trim() ?? '';
  return words === '' ? JSON.stringify(collapsed(fields)) : words;
}
