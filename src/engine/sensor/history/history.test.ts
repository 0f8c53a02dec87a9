import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Completeness, type Event, eventKinds } from '../../../base/event-schema.ts';
import { AddressBook, peerOf } from './address-book.ts';
import { commandOf } from './command.ts';
import { parseCompleteness, whyIncomplete } from './completeness.ts';
import { deedOf } from './deed.ts';
import { textOf } from './field-text.ts';
import { type EventFilter, everything, isWanted } from './filter.ts';
import { sortPath } from './ordinary-path.ts';
import { Trails } from './trails.ts';

const event = (change: Partial<Event>): Event => ({
  seq: 0,
  at: { monotonicNs: '1', wall: '2026-01-01T00:00:00.000Z' },
  run: 'r',
  phase: 'use',
  source: 'seccomp-notify',
  kind: 'open',
  fields: {},
  ...change,
});

describe('the text of a field', () => {
  const table: readonly [string, unknown, string | null][] = [
    ['a string', 'a', 'a'],
    ['text', { text: '/a b' }, '/a b'],
    ['text with a cut', { text: 'a', droppedBytes: 3 }, 'a […3 bytes more]'],
    ['bytes', { base64: '/w==' }, '\\xff'],
    ['an escape sequence', { text: '\u001b[2J\n' }, '\\x1b[2J\\x0a'],
    ['a number', 7, '7'],
    ['a list', ['a'], null],
    ['nothing', undefined, null],
    ['another record', { name: 'a' }, null],
  ];
  it.each(table)('%s', (_, value, text) => {
    expect(textOf(value)).toBe(text);
  });
});

describe('paths', () => {
  const table: readonly [string, ReturnType<typeof sortPath>][] = [
    ['/usr/lib/x.so', 'system'],
    ['/usr', 'system'],
    ['/usrlocal/x', 'own'],
    ['/etc/ld.so.cache', 'system'],
    ['/etc/passwd', 'own'],
    ['/etc/hosts', 'system'],
    ['/etc/hosts.allow', 'own'],
    ['/proc/self/maps', 'system'],
    ['/proc/1/environ', 'own'],
    ['/proc/self/../1/mem', 'own'],
    ['/usr/../home/u/.ssh/id', 'own'],
    ['/usr/./lib//x', 'system'],
    ['/work/node_modules/a/b.js', 'package'],
    ['/work/node_modules/../secret', 'own'],
    ['usr/lib/x', 'own'],
    ['', 'own'],
  ];
  it.each(table)('%s is %s', (path, sort) => {
    expect(sortPath(path)).toBe(sort);
  });
});

describe('a filter', () => {
  const process = { pid: 7, parent: 1, name: { text: 'x' } };
  const seen = event({ process, call: 'c1', fields: { path: { text: '/a/\u001b.txt' } } });
  const table: readonly [string, Partial<EventFilter>, boolean][] = [
    ['everything', {}, true],
    ['its kind', { kinds: ['open', 'exec'] }, true],
    ['another kind', { kinds: ['exec'] }, false],
    ['its process', { pids: [1, 7] }, true],
    ['another process', { pids: [8] }, false],
    ['its call', { calls: ['c1'] }, true],
    ['another call', { calls: ['c'] }, false],
    ['its phase', { phases: ['use'] }, true],
    ['another phase', { phases: ['start'] }, false],
    ['its sensor', { source: 'seccomp-notify' }, true],
    ['another sensor', { source: 'wire' }, false],
    ['a part of its path', { path: 'a/' }, true],
    ['its path as it is shown', { path: '\\x1b' }, true],
    ['its path as it is', { path: '\u001b.t' }, true],
    ['another path', { path: '/b' }, false],
    ['one that holds and one that does not', { kinds: ['open'], pids: [8] }, false],
  ];
  it.each(table)('%s', (_, change, expected) => {
    expect(isWanted(seen, { ...everything, ...change })).toBe(expected);
  });

  it('shows heartbeats only when asked for', () => {
    const beat = event({ kind: 'heartbeat' });
    expect(isWanted(beat, everything)).toBe(false);
    expect(isWanted(beat, { ...everything, kinds: ['heartbeat'] })).toBe(true);
  });
});

describe('commands and peers', () => {
  const text = (words: readonly string[]) => words.map((word) => ({ text: word }));

  it('writes a command as one would type it', () => {
    const argv = text(['sh', '-c', "echo 'a' b", '', '\u001b[2J']);
    expect(commandOf(event({ kind: 'exec', fields: { argv } }))).toBe("sh -c 'echo '\\''a'\\'' b' '' '\\x1b[2J'");
    expect(commandOf(event({ kind: 'exec', fields: { path: { text: '/bin/sh' } } }))).toBe('/bin/sh');
    expect(commandOf(event({ kind: 'exec', fields: { argv: text(Array(10_000).fill('word')) } }))?.length).toBeLessThan(
      1001,
    );
  });

  const peers: readonly [Event['fields'], string | null][] = [
    [{ family: 'ipv4', address: '10.0.0.1', port: 80 }, 'known.example:80'],
    [{ family: 'ipv4', address: '10.0.0.2', port: 80 }, '10.0.0.2:80'],
    [{ family: 'ipv6', address: '::1', port: 80 }, '[::1]:80'],
    [{ family: 'unix', path: { text: '/run/x' } }, '/run/x'],
    [{ asked: { name: 'a.example', address: '10.0.0.3', port: 1 } }, 'a.example:1'],
    [{ family: 'netlink' }, 'netlink'],
    [{}, null],
  ];
  it.each(peers)('%j', (fields, shown) => {
    const book = new AddressBook();
    book.learn(
      event({ kind: 'dns-answer', fields: { questions: [{ name: 'known.example' }], addresses: ['10.0.0.1'] } }),
    );
    expect(peerOf(event({ fields }), book)?.shown ?? null).toBe(shown);
  });

  it('keeps a bounded number of names', () => {
    const book = new AddressBook();
    for (let at = 0; at < 5000; at += 1)
      book.learn(event({ kind: 'dns-answer', fields: { name: `n${at}`, addresses: [`a${at}`] } }));
    expect([book.nameOf('a4095'), book.nameOf('a4096')]).toEqual(['n4095', null]);
  });
});

describe('the two ends of a leak', () => {
  it('says nothing where nothing is known', () => {
    expect(new Trails().endsOf(event({ kind: 'leak', fields: {} }))).toEqual({ readers: [], senders: [] });
  });

  it('prefers what the event says', () => {
    const trails = new Trails();
    const process = { pid: 5, parent: 1, name: { text: 'x' } };
    trails.learn(event({ kind: 'bait-read', process, fields: { path: { text: '/h/.netrc' } } }));
    const leak = event({ kind: 'leak', process, fields: { canary: 'file .netrc' } });
    expect(trails.endsOf(leak)).toEqual({ readers: [5], senders: [5] });
    const readBy = [{ seq: 1, pid: 8 }, { seq: 2, pid: 8 }, { seq: 3 }];
    expect(trails.endsOf({ ...leak, fields: { ...leak.fields, readBy, sentBy: [9] } })).toEqual({
      readers: [8],
      senders: [9],
    });
    expect(trails.endsOf({ ...leak, fields: { canary: 'file etrc' } }).readers).toEqual([]);
  });
});

describe('completeness of a run', () => {
  const whole: Completeness = {
    source: 'wire',
    attachedBeforeExec: true,
    received: 1,
    dropped: 0,
    merged: 0,
    truncated: 0,
    missingPoints: [],
    heartbeats: { expected: 1, seen: 1 },
  };

  it('is read from a list, or from a record that holds one', () => {
    const known = { is: 'known', sensors: [whole] };
    expect(parseCompleteness(JSON.stringify([whole]))).toEqual(known);
    expect(parseCompleteness(JSON.stringify({ run: 'r', sensors: [whole], search: { a: 0 } }))).toEqual(known);
    expect(parseCompleteness(JSON.stringify({ sensors: [whole], search: { a: 2, b: 0 } }))).toEqual({
      ...known,
      search: { a: 2 },
    });
  });

  it.each(['', 'x', '[]', '{}', '[1]', '{"sensors":[{}]}', 'null'])('is unknown for %j', (text) => {
    expect(parseCompleteness(text).is).toBe('unknown');
  });

  const reasons: readonly [Partial<Completeness>, readonly string[]][] = [
    [{}, []],
    [{ dropped: 3 }, ['dropped 3']],
    [{ attachedBeforeExec: false, missingPoints: ['a', 'b'] }, ['was attached after the start', 'cannot see a, b']],
    [{ heartbeats: { expected: 4, seen: 1 } }, ['saw 1 of 4 heartbeats']],
    [{ diedAt: '2026-01-01T00:00:00.000Z' }, ['died at 2026-01-01T00:00:00.000Z']],
  ];
  it.each(reasons)('%j', (change, expected) => {
    expect(whyIncomplete({ ...whole, ...change })).toEqual(expected);
  });
});

it('any fields of any kind are taken', () => {
  const learned = { book: new AddressBook(), trails: new Trails() };
  const fields = fc.dictionary(
    fc.constantFrom(
      'path',
      'from',
      'to',
      'argv',
      'asked',
      'questions',
      'name',
      'call',
      'encoding',
      'address',
      'canary',
    ),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...eventKinds), fields, (kind, any) => {
      const seen = event({ kind, fields: any as Event['fields'] });
      learned.book.learn(seen);
      learned.trails.learn(seen);
      deedOf(seen, learned);
      commandOf(seen);
      isWanted(seen, { ...everything, path: 'x' });
    }),
    { numRuns: 1000 },
  );
});
