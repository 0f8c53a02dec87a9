import { describe, expect, it } from 'vitest';
import type { Event, EventKind } from '../../../base/event-schema.ts';
import { eventDetail, eventTitle } from './event-words.ts';

const detail = (kind: EventKind, fields: Event['fields']): string => eventDetail({ kind, fields });

describe('an event in words', () => {
  it.each<{ kind: EventKind; fields: Event['fields']; says: string }>([
    { kind: 'exec', fields: { argv: [{ text: 'sh' }, { text: '-c' }, { text: 'id' }] }, says: 'sh -c id' },
    { kind: 'exec', fields: { path: { text: '/bin/true' }, argv: [] }, says: '/bin/true' },
    { kind: 'open', fields: { path: { text: '/a' }, access: 'read', creates: false }, says: '/a\nto read' },
    { kind: 'open', fields: { path: { text: '/a' }, access: 'write', creates: true }, says: '/a\nto make it' },
    { kind: 'rename', fields: { from: { text: '/a' }, to: { text: '/b' } }, says: '/a\nto /b' },
    { kind: 'connect', fields: { family: 'ipv4', address: '203.0.113.7', port: 443 }, says: '203.0.113.7:443' },
    { kind: 'connect', fields: { family: 'unix', path: { text: '/run/x' } }, says: '/run/x' },
    { kind: 'dns-query', fields: { questions: [{ name: 'a.example', type: 'A' }] }, says: 'a.example A' },
    { kind: 'http-request', fields: { method: 'POST', host: 'a.example', path: '/in' }, says: 'POST a.example/in' },
    { kind: 'tls-hello', fields: { asked: { name: 'a.example', port: 443 } }, says: 'a.example:443' },
    { kind: 'bait-read', fields: { decoy: '.npmrc' }, says: '.npmrc' },
    {
      kind: 'leak',
      fields: { planted: 'file .npmrc', via: 'a.example:443', encodings: ['base64', 'gzip'] },
      says: 'file .npmrc\nto a.example:443\nas base64 of gzip',
    },
    { kind: 'disk-change', fields: { path: { text: '/a' }, change: 'created' }, says: '/a\ncreated' },
    { kind: 'ptrace', fields: { who: { text: 'x' }, list: [{ text: 'y' }] }, says: '{"who":"x","list":["y"]}' },
    { kind: 'open', fields: {}, says: '{}' },
  ])('$kind: $says', ({ kind, fields, says }) => {
    expect(detail(kind, fields)).toBe(says);
  });

  it('has a title for people, and the kind where there is none', () => {
    expect(eventTitle({ kind: 'leak' })).toBe('a planted secret left');
    expect(eventTitle({ kind: 'ptrace' })).toBe('ptrace');
  });
});
