import { describe, expect, it } from 'vitest';
import type { Event, Observation } from '../../base/event-schema.ts';
import { makeHome } from '../decoy/index.ts';
import type { Sighting } from '../sensor/contract.ts';
import { Baits } from './baits.ts';
import { Journal } from './journal.ts';
import { LeakSearch } from './leaks.ts';
import { Timeline } from './timeline.ts';

const home = makeHome({ seed: 'journal', now: new Date(0) });
const key = home.files.find(({ path }) => path === '.ssh/id_ed25519');
const secret = Buffer.from(key?.content ?? []);
const at = { monotonicNs: '5', wall: '2026-01-01T00:00:00.000Z' };
const process_ = (pid: number) => ({ pid, parent: 1, name: { text: 'node' } });

function openJournal(): { journal: Journal; events: Event[]; shown: Event[] } {
  const events: Event[] = [];
  const shown: Event[] = [];
  const log = {
    async add(observation: Observation): Promise<Event> {
      const event = { seq: events.length, run: 'r', at, ...observation };
      events.push(event);
      return event;
    },
  };
  const journal = new Journal({
    log,
    timeline: new Timeline('use', () => 0n),
    baits: new Baits('/home/sam', home.files, []),
    leaks: new LeakSearch(home.canaries),
    onEvents: (each) => void shown.push(...each),
  });
  return { journal, events, shown };
}

const read: Sighting = {
  kind: 'open',
  at,
  process: process_(40),
  fields: { path: { text: '/home/sam/.ssh/id_ed25519' }, access: 'read', isFolder: false },
};
const exec: Sighting = {
  kind: 'exec',
  at,
  process: process_(40),
  fields: { path: { text: '/usr/bin/node' }, argv: [{ text: 'node' }, { text: 'thief.js' }] },
  outcome: 'ok',
};
const connect: Sighting = {
  kind: 'connect',
  at,
  process: process_(40),
  fields: { family: 'ipv4', address: '198.18.0.7', port: 443 },
};
const asked = { address: '198.18.0.7', port: 443, name: 'evil.example' };
const post = (body: Buffer): Sighting => ({
  kind: 'http-request',
  at,
  fields: {
    method: 'POST',
    path: '/',
    headers: [['host', 'evil.example']],
    transport: 'tcp',
    connection: 3,
    asked,
    bytes: { base64: body.toString('base64') },
  },
});

describe('a journal', () => {
  it('ties the reading of a decoy and its leak to one process, though the wire was quicker', async () => {
    const { journal, events, shown } = openJournal();
    await journal.seeLater('wire', [post(Buffer.from(secret.toString('base64')))]);
    await journal.see('seccomp-notify', [exec, read, connect]);
    await journal.close();
    expect(events.map(({ kind }) => kind)).toEqual(['exec', 'open', 'bait-read', 'connect', 'http-request', 'leak']);
    for (const kind of ['bait-read', 'leak']) {
      const told = events.find((event) => event.kind === kind);
      expect(told?.process?.argv).toEqual([{ text: 'node' }, { text: 'thief.js' }]);
    }
    const leak = events.at(-1);
    expect(leak?.process?.pid).toBe(40);
    expect(leak?.fields).toMatchObject({
      via: 'evil.example:443',
      encodings: ['base64'],
      readBy: [{ seq: 2, pid: 40 }],
    });
    expect(shown).toEqual(events);
  });

  it('finds what is split over two requests of one connection', async () => {
    const { journal, events } = openJournal();
    const middle = Math.floor(secret.length / 2);
    await journal.see('wire', [{ ...post(secret.subarray(0, middle)), kind: 'raw-bytes' }]);
    await journal.see('wire', [{ ...post(secret.subarray(middle)), kind: 'raw-bytes' }]);
    await journal.close();
    expect(events.filter(({ kind }) => kind === 'leak')).toHaveLength(1);
  });

  it('finds what is cut into names', async () => {
    const { journal, events } = openJournal();
    const token = home.canaries.find(({ vendor }) => vendor.startsWith('aws'))?.token ?? '';
    const hex = Buffer.from(token).toString('hex');
    const names = hex.match(/.{1,30}/g)?.map((part) => `${part}.evil.example`) ?? [];
    await journal.see(
      'wire',
      names.map((name, index) => ({
        kind: 'dns-query' as const,
        at,
        fields: {
          questions: [{ name, type: 'A' }],
          transport: 'udp',
          connection: index,
          asked: { ...asked, port: 53 },
        },
      })),
    );
    await journal.close();
    expect(events.filter(({ kind }) => kind === 'leak')[0]?.fields).toMatchObject({ via: 'name evil.example' });
  });

  it('tells one leak once, and another way again', async () => {
    const { journal, events } = openJournal();
    await journal.see('wire', [post(secret), post(secret)]);
    await journal.see('seccomp-notify', [
      { kind: 'exec', at, process: process_(41), fields: { argv: [{ text: 'echo' }, { text: secret.toString() }] } },
    ]);
    await journal.close();
    expect(events.filter(({ kind }) => kind === 'leak').map(({ fields }) => fields.via)).toEqual([
      'evil.example:443',
      'arguments',
    ]);
  });

  it('is silent about ordinary traffic', async () => {
    const { journal, events } = openJournal();
    await journal.see('wire', [post(Buffer.from('{"query":"weather in Berlin"}'))]);
    await journal.close();
    expect(events.map(({ kind }) => kind)).toEqual(['http-request']);
  });

  it('gives an error to whoever handed it in, and goes on', async () => {
    const events: Event[] = [];
    const log = {
      async add(observation: Observation): Promise<Event> {
        if (observation.kind === 'exit') throw new Error('disk full');
        const event = { seq: events.length, run: 'r', at, ...observation };
        events.push(event);
        return event;
      },
    };
    const timeline = new Timeline('use', () => 0n);
    const journal = new Journal({ log, timeline, baits: null, leaks: null, onEvents: () => undefined });
    await expect(journal.see('x', [{ kind: 'exit', at, fields: {} }])).rejects.toThrow('disk full');
    await journal.see('x', [read]);
    await journal.close();
    expect(events).toHaveLength(1);
  });
});
