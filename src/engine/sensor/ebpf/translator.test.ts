import { describe, expect, it } from 'vitest';
import { heartbeatPath, heartbeatPort } from '../heartbeat.ts';
import { numberOf } from '../seccomp-notify/numbers.ts';
import { Pairs, type WholeRecord } from './pairs.ts';
import type { Who, WitnessRecord } from './records.ts';
import { outcomeOf, Translator } from './translator.ts';

const who: Who = { at: 5n, pid: 7, parent: 6, name: Buffer.from('perl') };
const wall = new Date(0).toISOString();
const process = { pid: 7, parent: 6, name: { text: 'perl' } };

function makeTranslator(): Translator {
  return new Translator((at) => ({ monotonicNs: String(at), wall }));
}

function tell(...records: readonly WitnessRecord[]) {
  const pairs = new Pairs();
  const translator = makeTranslator();
  return records
    .map((record) => pairs.take(record))
    .filter((record): record is WholeRecord => record !== null)
    .map((record) => translator.translate(record));
}

const returned = (name: string, text: string | Buffer, extra = 0, result = 0): WitnessRecord => ({
  ...who,
  type: 'returned',
  thread: 8,
  call: numberOf(name),
  result,
  extra,
  text: Buffer.from(text),
});

const address = (hex: string): WitnessRecord => ({
  type: 'address',
  thread: 8,
  address: Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(32)]).subarray(0, 32),
});

describe('outcomeOf', () => {
  it.each([
    [0, 'ok'],
    [3, 'ok'],
    [-1, 'denied'],
    [-13, 'denied'],
    [-2, 'failed'],
    [-115, 'unknown'],
    [-512, 'unknown'],
  ] as const)('%i is %s', (result, outcome) => {
    expect(outcomeOf(result)).toBe(outcome);
  });
});

describe('Translator', () => {
  it.each([
    ['a fork', { ...who, type: 'forked' }, { kind: 'fork', fields: {} }],
    [
      'a program',
      { ...who, type: 'became', text: Buffer.from('/bin/x') },
      { kind: 'exec', fields: { path: { text: '/bin/x' } }, outcome: 'ok' },
    ],
    ['an end', { ...who, type: 'ended', status: 1792 }, { kind: 'exit', fields: { code: 7 } }],
    ['a killing', { ...who, type: 'ended', status: 9 }, { kind: 'exit', fields: { signal: 'SIGKILL' } }],
    [
      'a refused call',
      { ...who, type: 'refused', call: numberOf('unshare'), result: -1 },
      { kind: 'denied', fields: { call: 'unshare' }, outcome: 'denied' },
    ],
    [
      'a refused call that nobody knows',
      { ...who, type: 'refused', call: 9999, result: -1 },
      { kind: 'denied', fields: { call: 'call-9999' }, outcome: 'denied' },
    ],
    [
      'a failed exec',
      returned('execve', '/none', 0, -2),
      { kind: 'exec', fields: { path: { text: '/none' } }, outcome: 'failed' },
    ],
    [
      'an open',
      returned('openat', '/x', 0o101, -13),
      {
        kind: 'open',
        fields: { path: { text: '/x' }, access: 'write', creates: true, truncates: false, isFolder: false },
        outcome: 'denied',
      },
    ],
    [
      'a folder that is removed',
      returned('unlinkat', 'x', 0x200),
      { kind: 'unlink', fields: { path: { text: 'x' }, isFolder: true }, outcome: 'ok' },
    ],
    [
      'a path that may have been longer',
      returned('unlinkat', 'x'.repeat(199)),
      { kind: 'unlink', truncated: ['path'], outcome: 'ok' },
    ],
  ] as const)('tells of %s', (_, record, expected) => {
    expect(tell(record)).toEqual([expect.objectContaining({ at: { monotonicNs: '5', wall }, process, ...expected })]);
  });

  it('puts two names together', () => {
    const first: WitnessRecord = { type: 'firstName', thread: 8, text: Buffer.from('a') };
    const other: WitnessRecord = { type: 'firstName', thread: 9, text: Buffer.from('not this') };
    expect(tell(first, other, returned('renameat2', 'b'))).toEqual([
      expect.objectContaining({ kind: 'rename', fields: { from: { text: 'a' }, to: { text: 'b' } } }),
    ]);
  });

  it.each([
    ['IPv4', '020000507f000001', 16, '', { family: 'ipv4', address: '127.0.0.1', port: 80 }, undefined],
    ['a path', '01002f746d702f78', 110, '/tmp/x', { family: 'unix', path: { text: '/tmp/x' } }, undefined],
    ['an abstract name', '0100006100', 5, '', { family: 'unix', path: { text: '\0a\0' } }, undefined],
    ['nothing', '', 0, '', { family: 'unspecified' }, undefined],
    ['a length that is none', '0200', -5, '', { family: 'unspecified' }, undefined],
  ] as const)('tells of a connection to %s', (_, hex, length, text, fields, truncated) => {
    const [sighting] = tell(address(hex), returned('connect', text, length, -111));
    expect(sighting).toMatchObject({ kind: 'connect', fields, outcome: 'failed' });
    expect(sighting?.truncated).toBe(truncated);
  });

  it('marks an abstract name that is longer than the room for addresses', () => {
    const [sighting] = tell(address('010000'), returned('connect', '', 60));
    expect(sighting?.truncated).toEqual(['path']);
  });

  it('keeps the parent of an orphan, and tells of an end once', () => {
    const ended: WitnessRecord = { ...who, parent: 1, type: 'ended', status: 0 };
    const [, end, again, forked, later] = tell(
      { ...who, type: 'forked' },
      ended,
      ended,
      { ...who, type: 'forked' },
      ended,
    );
    expect(end?.process?.parent).toBe(6);
    expect(again).toBeNull();
    expect(forked).toMatchObject({ kind: 'fork' });
    expect(later).toMatchObject({ kind: 'exit' });
  });

  it('knows a heartbeat', () => {
    const beat = { nonce: '0'.repeat(32), number: 4 };
    const port = heartbeatPort(4).toString(16).padStart(4, '0');
    const kinds = tell(
      returned('openat', heartbeatPath(beat), 0, -2),
      address(`0200${port}7f000001`),
      returned('connect', '', 16, -9),
    );
    expect(kinds).toEqual([
      expect.objectContaining({ kind: 'heartbeat', fields: { ...beat, of: 'open' } }),
      expect.objectContaining({ kind: 'heartbeat', fields: { ...beat, of: 'connect' } }),
    ]);
  });
});
