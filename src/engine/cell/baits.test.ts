import { describe, expect, it } from 'vitest';
import { makeHome } from '../decoy/index.ts';
import { Baits } from './baits.ts';

const home = makeHome({ seed: 'baits', now: new Date(0) });
const variables = home.variables.flatMap(({ canaries }) => canaries);
const baits = (): Baits => new Baits('/home/sam', home.files, variables);
const open = (path: string, fields: Record<string, string | boolean> = {}) => ({
  kind: 'open' as const,
  fields: { path: { text: path }, access: 'read', creates: false, truncates: false, isFolder: false, ...fields },
});
const key = '/home/sam/.ssh/id_ed25519';

describe('a decoy', () => {
  it.each([
    { what: 'read', event: open(key), decoy: '.ssh/id_ed25519' },
    { what: 'read and written', event: open(key, { access: 'read-write' }), decoy: '.ssh/id_ed25519' },
    { what: 'by a longer way', event: open('/home/sam/../sam//.ssh/./id_ed25519'), decoy: '.ssh/id_ed25519' },
    { what: 'in the environment of itself', event: open('/proc/self/environ'), decoy: 'environment' },
    { what: 'in the environment of another', event: open('/proc/17/environ'), decoy: 'environment' },
  ])('was touched when $what', ({ event, decoy }) => {
    expect(baits().touched(event)?.decoy).toBe(decoy);
  });

  it.each([
    { what: 'its folder is listed', event: open('/home/sam/.ssh', { isFolder: true }) },
    { what: 'it is opened as a folder', event: open(key, { isFolder: true }) },
    { what: 'a place is held', event: open(key, { access: 'none' }) },
    { what: 'it is only written', event: open(key, { access: 'write' }) },
    { what: 'a neighbour without a secret is read', event: open('/home/sam/.ssh/id_ed25519.pub') },
    { what: 'another file is read', event: open('/etc/passwd') },
    { what: 'it is removed', event: { kind: 'unlink' as const, fields: { path: { text: key } } } },
    { what: 'the path is unknown', event: { kind: 'open' as const, fields: { access: 'read' } } },
  ])('was not touched when $what', ({ event }) => {
    expect(baits().touched(event)).toBeNull();
  });

  it.each([
    { what: 'a link to it', kind: 'link' as const, from: key, to: '/tmp/k', opened: '/tmp/k' },
    { what: 'its new name', kind: 'rename' as const, from: key, to: '/tmp/k', opened: '/tmp/k' },
    {
      what: 'its moved folder',
      kind: 'rename' as const,
      from: '/home/sam/.ssh',
      to: '/tmp/s',
      opened: '/tmp/s/id_ed25519',
    },
  ])('is followed to $what', ({ kind, from, to, opened }) => {
    const each = baits();
    each.touched({ kind, fields: { from: { text: from }, to: { text: to } } });
    expect(each.touched(open(opened))?.decoy).toBe('.ssh/id_ed25519');
  });

  it('is known by bytes, not by what they look like', () => {
    const event = {
      ...open(key),
      fields: { ...open(key).fields, path: { base64: Buffer.from(key).toString('base64') } },
    };
    expect(baits().touched(event)?.decoy).toBe('.ssh/id_ed25519');
  });
});
