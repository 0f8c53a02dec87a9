import type { Event, EventKind } from '../../../base/event-schema.ts';
import { type AddressBook, peerOf } from './address-book.ts';
import { firstText, listOf, recordOf, textOf } from './field-text.ts';
import { isHarmlessDevice, isLookup, sortPath } from './ordinary-path.ts';
import type { Trails } from './trails.ts';

/** What a process did, sorted for a summary. In the order in which a reader wants to know. */

export const deedGroups = [
  'leaked',
  'decoys',
  'denied',
  'limits',
  'network',
  'listened',
  'special',
  'removed',
  'created',
  'written',
  'renamed',
  'modes',
  'kept',
  'read',
  'listed',
  'packages',
  'system',
  'missing',
  'messages',
] as const;
export type DeedGroup = (typeof deedGroups)[number];

export interface Deed {
  readonly group: DeedGroup;
  /** On whom or what; null where the number says enough. */
  readonly name: string | null;
}

/** What was learned from the events before. */
export interface Learned {
  readonly book: AddressBook;
  readonly trails: Trails;
}

type Sorter = (event: Event, learned: Learned) => Deed | null;

const readGroups = { system: 'system', package: 'packages', own: 'read' } as const;

function sortOpen({ fields, outcome }: Event): Deed {
  const name = textOf(fields.path);
  const isWrite = fields.access === 'write' || fields.access === 'read-write';
  if (name !== null && isHarmlessDevice(name)) return { group: 'system', name: null };
  if (outcome === 'failed') return { group: 'missing', name: null };
  if (fields.creates === true) return { group: 'created', name };
  if (isWrite || fields.truncates === true) return { group: 'written', name };
  const sort = name === null ? 'own' : sortPath(name);
  if (sort !== 'own') return { group: readGroups[sort], name: null };
  return { group: fields.isFolder === true ? 'listed' : 'read', name };
}

const fromPath =
  (group: DeedGroup): Sorter =>
  ({ fields }) => ({ group, name: textOf(fields.path) });

const fromMove: Sorter = ({ fields }) => ({
  group: 'renamed',
  name: `${textOf(fields.from) ?? '?'} > ${textOf(fields.to) ?? '?'}`,
});

const fromPeer =
  (group: DeedGroup): Sorter =>
  (event, { book }) => {
    if (isLookup(event.fields.family, textOf(event.fields.path))) return { group: 'system', name: null };
    return { group, name: peerOf(event, book)?.shown ?? null };
  };

const fromCall: Sorter = ({ kind, fields }) => ({
  group: 'special',
  name: [kind, firstText(fields, ['call', 'name', 'request'])].filter((part) => part !== null).join(' '),
});

function questionsOf({ fields }: Event): string | null {
  return textOf(fields.name) ?? textOf(recordOf(listOf(fields.questions)[0]).name);
}

/** With the encoding and who had read it: a leak is only proven with both. */
function sortLeak(event: Event, { trails }: Learned): Deed {
  const { fields } = event;
  const label = firstText(fields, ['planted', 'canary', 'kind']) ?? '?';
  const encoding = listOf(fields.encodings ?? fields.encoding).map((each) => textOf(each) ?? '?');
  const { readers } = trails.endsOf(event);
  const reader = readers.length === 0 ? '' : `, read by pid ${readers.join(' or ')}`;
  const vendor = firstText(fields, ['vendor']);
  const what = vendor === null ? label : `${label} (${vendor})`;
  return { group: 'leaked', name: `${what} as ${encoding.join(' of ') || 'it is'}${reader}` };
}

/** Kinds that make the tree itself, or only repeat what another event says, have no deed. */
const sorters: Partial<Readonly<Record<EventKind, Sorter>>> = {
  exec: ({ outcome }) => (outcome === 'failed' ? { group: 'missing', name: null } : null),
  open: sortOpen,
  unlink: fromPath('removed'),
  rename: fromMove,
  link: fromMove,
  chmod: fromPath('modes'),
  mkdir: fromPath('created'),
  connect: fromPeer('network'),
  'send-to': fromPeer('network'),
  bind: fromPeer('listened'),
  'dns-query': (event) => ({ group: 'network', name: `dns ${questionsOf(event) ?? '?'}` }),
  'http-request': (event, { book }) => ({
    group: 'network',
    name: `http ${firstText(event.fields, ['method']) ?? ''} ${firstText(event.fields, ['host']) ?? peerOf(event, book)?.shown ?? '?'}`,
  }),
  'tls-hello': (event, { book }) => ({
    group: 'network',
    name: `tls ${firstText(event.fields, ['serverName']) ?? peerOf(event, book)?.shown ?? '?'}`,
  }),
  'raw-bytes': (event, { book }) => ({ group: 'network', name: `raw ${peerOf(event, book)?.shown ?? '?'}` }),
  'bait-read': ({ fields }) => ({ group: 'decoys', name: firstText(fields, ['path', 'variable', 'decoy', 'name']) }),
  leak: sortLeak,
  ptrace: fromCall,
  memfd: fromCall,
  'set-user': fromCall,
  kernel: fromCall,
  'limit-hit': ({ fields }) => ({ group: 'limits', name: firstText(fields, ['limit', 'detail']) }),
  denied: ({ fields }) => ({ group: 'denied', name: firstText(fields, ['what', 'path', 'call', 'address']) }),
  'disk-change': ({ fields }) => ({
    group: 'kept',
    name: [textOf(fields.change), textOf(fields.path)].filter((part) => part !== null).join(' '),
  }),
  connection: (event, { book }) =>
    event.fields.state === 'refused' ? { group: 'denied', name: `to ${peerOf(event, book)?.shown ?? '?'}` } : null,
  message: ({ fields }) => ({ group: 'messages', name: textOf(fields.method) }),
};

/** A refusal says what was tried; for a file that is how it was to be opened. */
function triedWord({ kind, fields }: Event): string {
  if (kind !== 'open') return kind;
  if (fields.creates === true) return 'create';
  return fields.access === 'write' || fields.access === 'read-write' ? 'write' : 'read';
}

export function deedOf(event: Event, learned: Learned): Deed | null {
  const deed = sorters[event.kind]?.(event, learned) ?? null;
  if (event.outcome !== 'denied' || event.kind === 'denied') return deed;
  const what = event.kind === 'open' ? textOf(event.fields.path) : (deed?.name ?? null);
  if (deed?.group === 'special') return { group: 'denied', name: what };
  return { group: 'denied', name: what === null ? triedWord(event) : `${triedWord(event)} ${what}` };
}
