import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/base/event-schema.ts';
import { type Storm, StormCounter } from './storm.ts';

const scratch = '/tmp/scratch';
const storm: Storm = { opens: 3000, execs: 40, connects: 400 };

function event(kind: Event['kind'], fields: Event['fields'], pid = 10, parent = 1): Event {
  return {
    seq: 0,
    at: { monotonicNs: '0', wall: '2026-01-01T00:00:00Z' },
    run: 'storm',
    phase: 'use',
    source: 'test',
    process: { pid, parent, name: { text: 'perl' } },
    kind,
    fields,
  };
}

const times = (count: number, make: (at: number) => Event): Event[] =>
  Array.from({ length: count }, (_, at) => make(at));

function perfect(): Event[] {
  return [
    event('open', { path: { text: '/usr/bin/perl' } }),
    ...times(storm.opens, (at) => event('open', { path: { text: `${scratch}/storm-${at}` } })),
    ...times(storm.execs, (at) =>
      event(
        'exec',
        { path: { text: '/usr/bin/true' }, argv: [{ text: 'true' }, { text: `storm-exec-${at}` }] },
        20 + at,
        10,
      ),
    ),
    ...times(storm.connects, (at) =>
      event('connect', { family: 'ipv4', address: `127.77.${at >> 8}.${at & 255}`, port: 1 }),
    ),
  ];
}

function missesOf(events: readonly Event[]): readonly string[] {
  const counter = new StormCounter(scratch, storm);
  for (const each of events) counter.take(each);
  return counter.misses();
}

const placeOfFirstExec = 1 + storm.opens;

const cases: readonly {
  readonly name: string;
  readonly change: (events: Event[]) => Event[];
  readonly miss: string;
}[] = [
  {
    name: 'a lost open',
    change: (events) => events.toSpliced(1 + 1234, 1),
    miss: '1 of 3000 opens are lost, the first of them number 1234',
  },
  {
    name: 'an open that came twice',
    change: (events) => events.toSpliced(5, 0, ...events.slice(5, 6)),
    miss: '1 of 3000 opens came more than once',
  },
  {
    name: 'two opens that changed places',
    change: (events) => events.toSpliced(5, 2, ...events.slice(5, 7).toReversed()),
    miss: '1 of 3000 opens came after a later one',
  },
  {
    name: 'an open that nobody made',
    change: (events) => [...events, event('open', { path: { text: `${scratch}/storm-3000` } })],
    miss: '1 of 3000 opens are none that was made',
  },
  {
    name: 'a lost exec',
    change: (events) => events.toSpliced(placeOfFirstExec, 1),
    miss: '1 of 40 execs are lost, the first of them number 0',
  },
  {
    name: 'a lost connect',
    change: (events) => events.toSpliced(-1, 1),
    miss: '1 of 400 connects are lost, the first of them number 399',
  },
  {
    name: 'an exec with a wrong parent',
    change: (events) =>
      events.with(placeOfFirstExec, {
        ...(events[placeOfFirstExec] ?? event('exec', {})),
        process: { pid: 20, parent: 1, name: { text: 'true' } },
      }),
    miss: '1 of 40 execs have another parent',
  },
  {
    name: 'an exec told of the parent',
    change: (events) =>
      events.with(placeOfFirstExec, {
        ...(events[placeOfFirstExec] ?? event('exec', {})),
        process: { pid: 10, parent: 10, name: { text: 'true' } },
      }),
    miss: 'an exec is told of the process that forked, not of the one that became the program',
  },
  {
    name: 'an open told of another process',
    change: (events) => [event('open', { path: { text: `${scratch}/storm-0` } }, 99), ...events.toSpliced(1, 1)],
    miss: '2 processes opened and connected, and there was one',
  },
];

describe('the counting of a storm', () => {
  it('is content with every event once', () => {
    const counter = new StormCounter(scratch, storm);
    for (const each of perfect()) counter.take(each);
    expect(counter.misses()).toEqual([]);
    expect(counter.counts).toEqual(storm);
  });

  it.each(cases)('notices $name', ({ change, miss }) => {
    expect(missesOf(change(perfect()))).toEqual([miss]);
  });

  it('notices that nothing came', () => {
    expect(missesOf([])).toEqual([
      '3000 of 3000 opens are lost, the first of them number 0',
      '40 of 40 execs are lost, the first of them number 0',
      '400 of 400 connects are lost, the first of them number 0',
    ]);
  });
});
