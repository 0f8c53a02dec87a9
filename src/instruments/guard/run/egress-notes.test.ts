import { describe, expect, it } from 'vitest';
import type { Event } from '../../../base/event-schema.ts';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import { type EgressEvent, EgressNotes, egressCaps, egressEventOf } from './egress-notes.ts';
import { RunLedger } from './run-ledger.ts';

function open(append: (entry: LedgerEntry) => void = () => undefined) {
  const entries: LedgerEntry[] = [];
  const failures: unknown[] = [];
  const ledger = {
    append: async (entry: LedgerEntry) => {
      append(entry);
      entries.push(entry);
      return { sequence: entries.length, leaf: '' };
    },
    hashSecret: () => '',
  };
  const run = new RunLedger(
    { ledger, session: 's' },
    { server: 'probe', policy: 'p', onFailure: (error) => failures.push(error) },
  );
  const seen: string[] = [];
  const notes = new EgressNotes(Promise.resolve(run), {
    onHost: (host, port) => seen.push(`reached ${host}:${port}`),
    onRefused: (host, _port, because) => seen.push(`refused ${host} ${because}`),
  });
  return { notes, entries, failures, seen };
}

function event(kind: EgressEvent['kind'], name: string | null, fields: EgressEvent['fields'] = {}): EgressEvent {
  return { kind, transport: 'tcp', asked: { address: '198.18.0.1', port: 443, name }, fields };
}

const lookUp = (name: string, code: number): EgressEvent =>
  event('dns-answer', null, { code, questions: [{ name, type: 'A' }] });

describe('EgressNotes', () => {
  it('tells a host once, and every refusal', async () => {
    const { notes, entries, seen } = open();
    await notes.take([event('egress-allowed', 'api.example'), event('egress-allowed', 'api.example')]);
    await notes.take([
      event('egress-refused', 'bad.example', { because: 'not-listed' }),
      event('egress-refused', 'bad.example', { because: 'not-listed' }),
    ]);
    expect(entries.map(({ action, verdict, rule }) => [action, verdict, rule])).toEqual([
      ['egress.allow', 'allowed', undefined],
      ['egress.refuse', 'refused', 'egress/not-listed'],
      ['egress.refuse', 'refused', 'egress/not-listed'],
    ]);
    expect(entries[0]).toMatchObject({ session: 's', server: 'probe', policy: 'p', details: { host: 'api.example' } });
    expect(seen).toEqual([
      'reached api.example:443',
      'refused bad.example not-listed',
      'refused bad.example not-listed',
    ]);
    expect(notes.counts).toEqual({ allowed: 2, refused: 2, untold: 0 });
  });

  it('counts a name that does not exist for the box as refused, once', async () => {
    const { notes, entries } = open();
    await notes.take([lookUp('bad.example', 3), lookUp('bad.example', 3), lookUp('good.example', 0)]);
    expect(entries.map(({ rule, details }) => [rule, details?.host])).toEqual([
      ['egress/name-not-listed', 'bad.example'],
    ]);
  });

  it('writes no more refusals than the cap, and counts the others', async () => {
    const { notes, entries } = open();
    await notes.take(Array.from({ length: egressCaps.refusals + 50 }, () => event('egress-refused', 'bad.example')));
    expect(entries).toHaveLength(egressCaps.refusals);
    expect(notes.counts).toEqual({ allowed: 0, refused: egressCaps.refusals + 50, untold: 50 });
  });

  it('spells out what a box chose as a name', async () => {
    const { notes, entries } = open();
    await notes.take([event('egress-refused', '\x1b[2J.example')]);
    expect(entries[0]?.details?.host).toBe('\\x1b[2J.example');
  });

  it('fails when the ledger does, so that the gate cuts everything', async () => {
    const { notes, failures } = open(() => {
      throw new Error('the disk is full');
    });
    await expect(notes.take([event('egress-allowed', 'api.example')])).rejects.toThrow('the disk is full');
    expect(failures).toHaveLength(1);
  });
});

describe('egressEventOf', () => {
  const fields = { asked: { address: '198.18.0.1', port: 443, name: 'api.example' }, transport: 'tcp', connection: 1 };
  const seen = (source: string, kind: Event['kind'], more: object): Event =>
    ({
      seq: 1,
      run: 'r',
      at: { monotonicNs: '1', wall: '' },
      phase: 'use',
      source,
      kind,
      fields: { ...fields, ...more },
    }) as Event;

  it.each([
    ['allowed', seen('wire', 'connection', { state: 'allowed' }), 'egress-allowed'],
    ['refused', seen('wire', 'connection', { state: 'refused', because: 'x' }), 'egress-refused'],
    ['opened', seen('wire', 'connection', { state: 'open' }), null],
    ['a system call', seen('notify', 'connect', {}), null],
  ])('%s', (_, given, kind) => {
    expect(egressEventOf(given)?.kind ?? null).toBe(kind);
  });
});
