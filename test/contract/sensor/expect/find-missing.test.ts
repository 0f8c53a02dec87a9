import { describe, expect, it } from 'vitest';
import { type Event, eventSchema } from '../../../../src/base/event-schema.ts';
import { tierPolicy } from '../../../../src/engine/policy/index.ts';
import type { Facts } from './expectation.ts';
import { findMissing } from './find-missing.ts';
import { perform } from './perform.ts';
import { deniedCalls } from './sight.ts';
import { deepPath, sixtyActions } from './sixty.ts';

const scratch = '/tmp/scratch';
const programme = sixtyActions(scratch);
const facts: Facts = { sensor: 'ebpf', backend: 'bwrap' };

type Change = (events: readonly Event[]) => readonly Event[];

/** The one event with this text in its fields (and of this kind). */
function placeOf(events: readonly Event[], kind: Event['kind'], text: string): number {
  const places = events.flatMap((event, at) =>
    event.kind === kind && JSON.stringify(event.fields).includes(text) ? [at] : [],
  );
  expect(places).toHaveLength(1);
  return places[0] ?? -1;
}

function changed(events: readonly Event[], at: number, change: (event: Event) => Event): readonly Event[] {
  return events.map((event, place) => (place === at ? change(event) : event));
}

const ofPath =
  (kind: Event['kind'], text: string, change: (event: Event) => Event): Change =>
  (events) =>
    changed(events, placeOf(events, kind, text), change);

const withPath =
  (path: Event['fields'][string]) =>
  (event: Event): Event => ({ ...event, fields: { ...event.fields, path } });

const withProcess =
  (process: Partial<NonNullable<Event['process']>>) =>
  (event: Event): Event => ({
    ...event,
    process: { pid: 1, parent: 0, name: { text: 'x' }, ...event.process, ...process },
  });

const pidOf = (role: string): number => 1000 + Object.keys(programme.parents).indexOf(role);

const deep = deepPath(scratch);

const cases: readonly { readonly name: string; readonly change: Change; readonly misses: readonly RegExp[] }[] = [
  {
    name: 'a missing event',
    change: (events) => events.toSpliced(placeOf(events, 'open', 'tab\\tname'), 1),
    misses: [/^action 20 .*: missing; nearest is/],
  },
  {
    name: 'a missing event among others that are the same',
    change: (events) => events.toSpliced(2, 1),
    misses: [/^action \d+ .*: missing/],
  },
  {
    name: 'swapped order',
    change: (events) => {
      const at = placeOf(events, 'connect', '::1');
      return events.toSpliced(at, 2, ...events.slice(at, at + 2).toReversed());
    },
    misses: [/^action (67|68) .*: out of order within pid 1000/],
  },
  {
    name: 'a thread in the place of its process',
    change: ofPath('open', 'from-thread"', withProcess({ pid: 77 })),
    misses: [/^action 63 .*: told of pid 77, not of 1015/],
  },
  {
    name: 'a wrong parent',
    change: ofPath('exec', 'role-thread-child', withProcess({ parent: pidOf('main') })),
    misses: [/^action 64 .*: its parent is 1015, not 1000/],
  },
  {
    name: 'a cut path',
    change: ofPath('open', `${'f'.repeat(54)}"`, withPath({ text: deep.slice(0, 4000), droppedBytes: 95 })),
    misses: [/^action 28 .*: missing/],
  },
  {
    name: 'a path cut at the new line',
    change: ofPath('open', 'new\\nline', withPath({ text: `${scratch}/new` })),
    misses: [/^action 19 .*: missing; nearest is .*scratch\/new/],
  },
  {
    name: 'a path cut at the comma',
    change: ofPath('open', 'comma,name', withPath({ text: `${scratch}/comma` })),
    misses: [/^action 16 .*: missing/],
  },
  {
    name: 'a path with replaced bytes',
    change: ofPath('open', 'base64', withPath({ text: `${scratch}/invalid\ufffd\ufffd\ufffd(` })),
    misses: [/^action 22 .*: missing/],
  },
  {
    name: 'a write told as a read',
    change: ofPath('open', '-rf', (event) => ({ ...event, fields: { ...event.fields, access: 'read' } })),
    misses: [/^action 25 .*: missing/],
  },
  {
    name: 'an argument that is lost',
    change: ofPath('exec', 'argument-999', (event) => ({
      ...event,
      fields: { ...event.fields, argv: (event.fields.argv as Event['fields'][string][]).slice(0, 999) },
    })),
    misses: [/^action 51 .*: missing/],
  },
  {
    name: 'a role that nobody plays',
    change: (events) => events.toSpliced(placeOf(events, 'open', 'role-killed'), 1),
    misses: [/^role killed: its first open or exec is missing/],
  },
  {
    name: 'a role that two play',
    change: (events) => [...events, ...events.filter((_, at) => at === 0).map(withProcess({ pid: 5 }))],
    misses: [/^role main is played by pid 1000 and by pid 5/],
  },
  {
    name: 'no events at all',
    change: () => [],
    misses: Object.keys(programme.parents).map(() => /^role .* is missing/),
  },
];

describe('the comparison with what a program is known to do', () => {
  const perfect = perform(programme, pidOf);

  it('knows at least 60 actions, every number once or in one row', () => {
    const numbers = [...new Set(programme.expectations.map(({ number }) => number))];
    expect(numbers.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 85 }, (_, at) => at + 1));
    expect(deep).toHaveLength(4095);
  });

  it('is content with a perfect account, which is made of events', () => {
    for (const event of perfect) eventSchema.parse(event);
    expect(findMissing(perfect, programme, facts)).toEqual([]);
  });

  it('does not mind what else a process does', () => {
    const noise = perfect.flatMap((event) => [
      event,
      { ...event, kind: 'open' as const, fields: { path: { text: '/x' } } },
    ]);
    expect(findMissing(noise, programme, facts)).toEqual([]);
  });

  it.each(cases)('notices $name', ({ change, misses }) => {
    const found = findMissing(change(perfect), programme, facts);
    expect(found).toHaveLength(misses.length);
    for (const [at, miss] of misses.entries()) expect(found[at]).toMatch(miss);
  });

  it('notices every single event that is lost, and no other', () => {
    for (const [at, event] of perfect.entries()) {
      const found = findMissing(perfect.toSpliced(at, 1), programme, facts);
      expect(found, JSON.stringify(event.fields).slice(0, 200)).toHaveLength(1);
    }
  });

  it('compares pids where the sensor counts as the box does, and only there', () => {
    const pids = { main: 1000, killed: 4 };
    expect(findMissing(perfect, programme, { ...facts, pids })).toEqual([]);
    expect(findMissing(perfect, programme, { ...facts, backend: 'landlock', pids })).toEqual([
      `killed is pid 4, not ${pidOf('killed')}`,
    ]);
  });

  it('excuses what a sensor cannot see, and nothing that it can', () => {
    const blind = perfect.filter(({ kind, fields }) => fields.call !== 'mount' && kind !== 'memfd');
    const notify: Facts = { ...facts, sensor: 'seccomp-notify', denied: deniedCalls(tierPolicy('LOW'), 'bwrap') };
    expect(findMissing(blind, programme, notify)).toEqual([]);
    expect(findMissing(blind, programme, { ...notify, denied: new Set(['mount']) })).toEqual([
      expect.stringMatching(/^action 75 .*: missing; no memfd at all/),
    ]);
    expect(findMissing(blind, programme, { ...notify, denied: new Set(), excused: { 75: 'not here' } })).toEqual([
      expect.stringMatching(/^action 82 /),
    ]);
  });

  it('lets a sensor leave out what it cannot know, but not be wrong about it', () => {
    const isRaw = ({ kind, fields }: Event): boolean =>
      kind === 'unlink' || kind === 'rename' || JSON.stringify(fields.path ?? null).includes('base64');
    const raw = perfect.map((event) => (isRaw(event) ? { ...event, fields: {} } : event));
    const gvisor: Facts = { sensor: 'gvisor-trace', backend: 'gvisor' };
    expect(findMissing(raw, programme, gvisor)).toEqual([]);
    expect(findMissing(raw, programme, facts)).toHaveLength(8);
    const wrong = perfect.map((event) =>
      event.kind === 'rename' ? { ...event, fields: { from: { text: '/x' } } } : event,
    );
    expect(findMissing(wrong, programme, gvisor)).toHaveLength(3);
  });
});
