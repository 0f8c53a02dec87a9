import { describe, expect, it } from 'vitest';
import type { Event, EventKind, Phase } from '../../../base/event-schema.ts';
import { policySchema } from '../../../base/policy-schema.ts';
import { type LearnFacts, learnPolicy } from './learn.ts';

const facts: LearnFacts = {
  name: 'notes',
  folders: { home: '/home/sam', work: '/home/sam/project', tmp: '/tmp' },
  decoys: ['.ssh/id_ed25519'],
  variables: ['NOTES_TOKEN'],
  peakMemoryBytes: 90 * 1024 * 1024,
  peakProcesses: 3,
};

let seq = 0;
function event(kind: EventKind, fields: Event['fields'], extra: Partial<Event> = {}): Event {
  seq += 1;
  const at = { monotonicNs: '1', wall: '2026-01-01T00:00:00.000Z' };
  return { seq, at, run: 'r', phase: 'use', source: 's', kind, fields, ...extra };
}
const open = (path: string, access = 'read', extra: Partial<Event> = {}): Event =>
  event('open', { path: { text: path }, access, creates: access !== 'read', truncates: false, isFolder: false }, extra);

async function learn(events: readonly Event[]) {
  const { policy, refused } = await learnPolicy(events, facts);
  expect(policySchema.safeParse(policy).error).toBeUndefined();
  const line = ({ path, access }: { path: string; access: string }): string => `${access} ${path}`;
  return { policy, refused, lines: policy.files.map(line) };
}

describe('a learnt policy', () => {
  it('has the lines of the system that were used, and says by what', async () => {
    const { lines, policy } = await learn([
      open('/usr/lib/node/x.js'),
      open('/etc/ssl/certs/ca.crt', 'read', { call: '1:x' }),
    ]);
    expect(lines).toContain('execute /usr');
    expect(lines).toContain('read /etc/ssl/certs');
    expect(lines).not.toContain('read /etc/os-release');
    expect(policy.files.find(({ path }) => path === '/etc/ssl/certs')?.why).toContain('once, during 1:x');
  });

  it.each([
    { what: 'a file that was read', events: [open('/home/sam/notes.txt')], line: 'read {home}/notes.txt' },
    { what: 'a file that was made', events: [open('/home/sam/.cache/a/b', 'write')], line: 'write {home}/.cache/a' },
    { what: 'a temporary file', events: [open('/tmp/x', 'write')], line: 'write {tmp}' },
    { what: 'a file of the host', events: [open('/srv/data/a.csv')], line: 'read /srv/data/a.csv' },
    {
      what: 'many files of one folder',
      events: ['a', 'b', 'c', 'd', 'e'].map((name) => open(`/srv/data/${name}`)),
      line: 'read /srv/data',
    },
    {
      what: 'a program outside the system',
      events: [event('exec', { path: { text: '/opt/tool/bin/x' }, argv: [] }, { outcome: 'ok' })],
      line: 'execute /opt/tool/bin/x',
    },
  ])('gives $what', async ({ events, line }) => {
    expect((await learn(events)).lines).toContain(line);
  });

  it.each([
    { what: 'a file that is not there', events: [open('/home/sam/absent', 'read', { outcome: 'failed' })] },
    { what: 'one that was refused', events: [open('/home/sam/x', 'read', { outcome: 'denied' })] },
    { what: 'what an attack reached', events: [open('/home/sam/x', 'read', { phase: 'attack' as Phase })] },
    { what: "the kernel's own files", events: [open('/proc/self/maps')] },
    { what: 'a path that is no text', events: [event('open', { path: { base64: '/w==' }, access: 'read' })] },
    { what: 'a decoy', events: [open('/home/sam/.ssh/id_ed25519')] },
  ])('does not give $what', async ({ events }) => {
    expect((await learn(events)).lines).toEqual(['execute {work}']);
  });

  it('lists what it should not need as refused', async () => {
    const { refused } = await learn([event('bait-read', { decoy: '.ssh/id_ed25519' })]);
    expect(refused).toMatchObject([{ what: 'reading .ssh/id_ed25519', why: 'read once' }]);
  });

  it('names hosts and ports, and has no network where none was used', async () => {
    const asked = { name: 'API.Example.', address: '198.18.0.1', port: 443 };
    const { policy } = await learn([event('http-request', { asked }), event('tls-hello', { asked })]);
    expect(policy.network).toMatchObject({ mode: 'allowlist', rules: [{ host: 'api.example', port: 443 }] });
    expect((await learn([])).policy.network).toEqual({ mode: 'none', rules: [] });
  });

  it('has limits with some room above what was used', async () => {
    const { limits } = (await learn([])).policy;
    expect(limits.memoryBytes).toBe(144 * 1024 * 1024);
    expect(limits.processes).toBe(8);
  });

  it('lets in the variables that the server asks for', async () => {
    const { policy } = await learn([]);
    expect(policy.environment.map(({ name }) => name)).toContain('NOTES_TOKEN');
  });
});
