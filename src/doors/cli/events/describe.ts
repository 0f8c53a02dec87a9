import type { Event, EventKind } from '../../../base/event-schema.ts';
import {
  type AddressBook,
  commandOf,
  firstText,
  listOf,
  numberOf,
  sortPath,
  type Trails,
  textOf,
} from '../../../engine/sensor/history/index.ts';
import { formatBytes } from '../terminal/index.ts';
import { networkDescribers } from './describe-network.ts';
import type { Drawing } from './drawing.ts';
import { meaningOf } from './meanings.ts';
import type { Cut } from './shorten.ts';
import type { Tone } from './tone.ts';

/** One event in words. All text is safe for a terminal; nothing is cut or coloured yet. */
export interface Description {
  /** At most eight letters. */
  readonly verb: string;
  readonly subject: string;
  readonly detail: string;
  /** The detail is not to be left out for a longer subject. */
  readonly isDetailVital?: boolean;
  readonly tone: Tone;
  readonly cut: Cut;
}

/** What was learned from the events before. */
export interface Context {
  readonly book: AddressBook;
  readonly trails: Trails;
  readonly drawing: Drawing;
}

export type Describer = (event: Event, context: Context) => Description;

const say = (verb: string, subject: string | null, more: Partial<Description> = {}): Description => ({
  verb,
  subject: subject ?? '?',
  detail: '',
  tone: 'plain',
  cut: 'path',
  ...more,
});

function describeOpen({ fields }: Event): Description {
  const path = textOf(fields.path);
  const isWrite = fields.access === 'write' || fields.access === 'read-write';
  if (fields.creates === true) return say('create', path);
  if (isWrite || fields.truncates === true) return say('write', path);
  const tone = path !== null && sortPath(path) === 'own' ? 'plain' : 'quiet';
  if (fields.isFolder === true) return say('list', path, { tone });
  return say(fields.access === 'none' ? 'look' : 'read', path, { tone });
}

const move =
  (verb: string): Describer =>
  ({ fields }, { drawing }) =>
    say(verb, `${textOf(fields.from) ?? '?'} ${drawing.arrow} ${textOf(fields.to) ?? '?'}`);

const call =
  (verb: string, ...keys: readonly string[]): Describer =>
  ({ fields }) => {
    const values = keys.flatMap((key): readonly unknown[] => [fields[key]].flat());
    return say(verb, values.flatMap((value) => textOf(value) ?? []).join(' '), { cut: 'end' });
  };

function describeMode({ fields }: Event): Description {
  const mode = numberOf(fields.mode);
  const owner = [textOf(fields.uid), textOf(fields.gid)].filter((id) => id !== null).join(':');
  const change = mode === null ? owner : (mode & 0o7777).toString(8).padStart(4, '0');
  return say(mode === null ? 'chown' : 'chmod', textOf(fields.path) ?? 'an open file', { detail: change });
}

function describeBait({ fields }: Event): Description {
  const decoy = firstText(fields, ['decoy']);
  const what = firstText(fields, ['path', 'variable', 'decoy', 'name']) ?? '?';
  const meaning =
    firstText(fields, ['means', 'meaning', 'title']) ?? meaningOf(decoy === null ? what : `/${decoy}`) ?? decoy;
  return say('DECOY', what, { tone: 'decoy', detail: meaning ?? 'decoy', isDetailVital: true });
}

function describePids(pids: readonly number[]): string {
  return pids.length === 0 ? 'an unknown process' : `pid ${pids.join(' or ')}`;
}

function describeLeak(event: Event, { trails, drawing }: Context): Description {
  const { fields } = event;
  const { readers, senders } = trails.endsOf(event);
  const label = (firstText(fields, ['planted', 'canary']) ?? '?').replace(/^(?:file|variable) /, '');
  const vendor = firstText(fields, ['vendor']);
  const encoding = listOf(fields.encodings ?? fields.encoding).map((each) => textOf(each) ?? '?');
  const where = firstText(fields, ['where']);
  const via = firstText(fields, ['via']);
  const how = encoding.length === 0 ? 'as it is' : `as ${encoding.join(' of ')}`;
  const ends = `read by ${describePids(readers)} ${drawing.arrow} sent by ${describePids(senders)}`;
  return say(
    'LEAK',
    `${label}${vendor === null ? '' : ` (${vendor})`} ${how}${where === null ? '' : ` in ${where}`}${via === null ? '' : ` via ${via}`}`,
    {
      detail: ends,
      tone: 'leak',
      cut: 'end',
    },
  );
}

function describeExit({ fields }: Event): Description {
  const signal = textOf(fields.signal);
  const subject = signal === null ? (textOf(fields.code) ?? '') : `by signal ${signal}`;
  return say('exit', subject, { tone: 'quiet', cut: 'end' });
}

function describeMessage({ fields }: Event, { drawing }: Context): Description {
  const direction = textOf(fields.direction) ?? '';
  const id = textOf(fields.id);
  const bytes = numberOf(fields.sizeBytes) ?? numberOf(fields.bytes);
  const words = [direction, textOf(fields.method) ?? (id === null ? '' : 'answer'), id === null ? '' : `#${id}`];
  const detail = bytes === null ? '' : formatBytes(bytes);
  return say('message', words.filter((word) => word !== '').join(' ') || drawing.arrow, { cut: 'end', detail });
}

function describeDisk({ fields }: Event): Description {
  const size = numberOf(fields.sizeBytes);
  const detail = [textOf(fields.change), size === null ? null : formatBytes(size)].filter((part) => part !== null);
  return say('disk', textOf(fields.path), { detail: detail.join(', ') });
}

const describers: Readonly<Partial<Record<EventKind, Describer>>> = {
  ...networkDescribers,
  fork: ({ process }) =>
    say('fork', process === undefined ? '' : `of ${process.parent}`, { tone: 'quiet', cut: 'end' }),
  exec: (event) => say('exec', commandOf(event), { tone: 'start', cut: 'end' }),
  exit: describeExit,
  open: describeOpen,
  unlink: ({ fields }) => say('remove', textOf(fields.path)),
  rename: move('rename'),
  link: move('link'),
  chmod: describeMode,
  mkdir: ({ fields }) => say('mkdir', textOf(fields.path)),
  'bait-read': describeBait,
  leak: describeLeak,
  ptrace: call('ptrace', 'call', 'request', 'pid'),
  memfd: call('memfd', 'name'),
  'set-user': call('set-user', 'call', 'ids'),
  kernel: call('kernel', 'call'),
  'limit-hit': (event, context) => ({ ...call('LIMIT', 'limit', 'detail')(event, context), tone: 'denied' }),
  denied: ({ fields }) =>
    say('DENIED', firstText(fields, ['what', 'path', 'call', 'address']), {
      tone: 'denied',
      detail: firstText(fields, ['why', 'because', 'reason']) ?? '',
    }),
  'disk-change': describeDisk,
  message: describeMessage,
  heartbeat: ({ fields }) =>
    say('alive', `heartbeat ${textOf(fields.number) ?? ''}`.trimEnd(), {
      tone: 'quiet',
      detail: textOf(fields.of) ?? '',
    }),
};

const outcomeWords: Readonly<Partial<Record<NonNullable<Event['outcome']>, string>>> = {
  denied: 'denied',
  failed: 'failed',
};

export function describeEvent(event: Event, context: Context): Description {
  const description = describers[event.kind]?.(event, context) ?? say(event.kind, '');
  const word = event.outcome === undefined ? undefined : outcomeWords[event.outcome];
  if (word === undefined) return description;
  const tone = word === 'denied' && description.tone !== 'decoy' ? 'denied' : description.tone;
  return {
    ...description,
    tone,
    isDetailVital: true,
    detail: [word, description.detail].filter((part) => part !== '').join(', '),
  };
}
