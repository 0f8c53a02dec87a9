import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Event, type EventKind, eventKinds } from '../../../base/event-schema.ts';
import { AddressBook, Trails } from '../../../engine/sensor/history/index.ts';
import { describeTerminal, displayWidth } from '../terminal/index.ts';
import { type Context, describeEvent } from './describe.ts';
import { chooseDrawing } from './drawing.ts';
import { renderEventLine } from './event-line.ts';

const piped = describeTerminal({
  color: 'never',
  isTerminal: false,
  columns: undefined,
  environment: { LANG: 'C.UTF-8' },
});
const context = (): Context => ({ book: new AddressBook(), trails: new Trails(), drawing: chooseDrawing(piped) });

function event(kind: EventKind, fields: Event['fields'], more: Partial<Event> = {}): Event {
  return {
    seq: 0,
    at: { monotonicNs: '1500000000', wall: '2026-01-01T00:00:00.000Z' },
    run: 'r',
    phase: 'use',
    source: 's',
    process: { pid: 42, parent: 7, name: { text: 'node' } },
    kind,
    fields,
    ...more,
  };
}

const path = { text: '/work/a' };
const asked = { name: 'x.example', address: '10.0.0.1', port: 443 };
const bytes = { base64: Buffer.from('hello\n').toString('base64'), droppedBytes: 10 };

describe('one event in words', () => {
  const table: readonly [EventKind, Event['fields'], string, string][] = [
    ['fork', {}, 'fork of 7', 'quiet'],
    ['exec', { argv: [{ text: 'ls' }, { text: 'a b' }] }, "exec ls 'a b'", 'start'],
    ['exit', { code: 3 }, 'exit 3', 'quiet'],
    ['exit', { signal: 'SIGKILL' }, 'exit by signal SIGKILL', 'quiet'],
    ['open', { path, access: 'read' }, 'read /work/a', 'plain'],
    ['open', { path: { text: '/usr/lib/a' }, access: 'read' }, 'read /usr/lib/a', 'quiet'],
    ['open', { path, access: 'write' }, 'write /work/a', 'plain'],
    ['open', { path, access: 'read-write', creates: true }, 'create /work/a', 'plain'],
    ['open', { path, access: 'read', isFolder: true }, 'list /work/a', 'plain'],
    ['open', { path, access: 'none' }, 'look /work/a', 'plain'],
    ['unlink', { path }, 'remove /work/a', 'plain'],
    ['rename', { from: path, to: { text: 'b' } }, 'rename /work/a → b', 'plain'],
    ['link', { from: path, to: { text: 'b' }, isSymbolic: true }, 'link /work/a → b', 'plain'],
    ['chmod', { path, mode: 0o4755 }, 'chmod /work/a 4755', 'plain'],
    ['chmod', { uid: 0, gid: 5, call: 'fchown' }, 'chown an open file 0:5', 'plain'],
    ['mkdir', { path, mode: 0o755 }, 'mkdir /work/a', 'plain'],
    ['connect', { family: 'ipv4', address: '10.0.0.9', port: 80 }, 'connect 10.0.0.9:80', 'network'],
    ['connect', { family: 'unix', path: { text: '/run/x' } }, 'connect /run/x', 'network'],
    ['bind', { family: 'ipv6', address: '::', port: 80 }, 'bind [::]:80', 'network'],
    ['send-to', { family: 'ipv4', address: '10.0.0.9', port: 53 }, 'send 10.0.0.9:53', 'network'],
    ['listen', { backlog: 5 }, 'listen backlog 5', 'network'],
    ['dns-query', { questions: [{ name: 'a.example', type: 'TXT' }] }, 'dns TXT a.example', 'network'],
    ['dns-query', { name: 'a.example', type: 'A' }, 'dns A a.example', 'network'],
    ['dns-query', { isReadable: false }, 'dns not readable', 'network'],
    ['dns-answer', { questions: [{ name: 'a', type: 'A' }], code: 3 }, 'dns A a → no such name', 'quiet'],
    ['http-request', { method: 'GET', host: 'a', path: '/x', asked, bytes }, 'http GET https://a/x 16 B', 'network'],
    ['http-request', { method: 'GET', url: 'http://a/b' }, 'http GET http://a/b', 'network'],
    [
      'http-response',
      { status: 404, reason: 'Not Found', host: 'a', path: '/' },
      'answer 404 Not Found http://a/',
      'quiet',
    ],
    ['tls-hello', { serverName: 'a.example', alpn: ['h2'] }, 'tls a.example h2', 'network'],
    ['tls-hello', { serverName: null, asked }, 'tls x.example:443 no name in it', 'network'],
    ['tls-hello', { serverName: 'a', isRefused: true, reason: 'x' }, 'tls a not accepted: x', 'network'],
    ['tls-hello', { serverName: 'a', isQuic: true }, 'quic a', 'network'],
    ['connection', { asked, state: 'open' }, 'open x.example:443', 'quiet'],
    [
      'connection',
      { asked, state: 'closed', bytesRead: 9, bytesWritten: 2048 },
      'closed x.example:443 sent 9 B, got 2 KiB',
      'quiet',
    ],
    ['connection', { asked, state: 'refused', reason: 'not-listed' }, 'refused x.example:443 not-listed', 'denied'],
    ['raw-bytes', { asked, bytes }, 'raw x.example:443 16 B, hello\\x0a', 'network'],
    ['bait-read', { path: { text: '/h/.ssh/id_rsa' } }, 'DECOY /h/.ssh/id_rsa SSH private key', 'decoy'],
    ['bait-read', { variable: 'TOKEN', means: 'a token' }, 'DECOY TOKEN a token', 'decoy'],
    ['bait-read', { path }, 'DECOY /work/a decoy', 'decoy'],
    ['bait-read', { path, decoy: '.ssh/id_rsa' }, 'DECOY /work/a SSH private key', 'decoy'],
    [
      'bait-read',
      { path: { text: '/proc/1/environ' }, decoy: 'environment' },
      'DECOY /proc/1/environ variables with secrets',
      'decoy',
    ],
    ['ptrace', { call: 'ptrace', request: 16, pid: 3 }, 'ptrace ptrace 16 3', 'plain'],
    ['memfd', { name: { text: 'x' } }, 'memfd x', 'plain'],
    ['set-user', { call: 'setresuid', ids: [0, 0, 0] }, 'set-user setresuid 0 0 0', 'plain'],
    ['kernel', { call: 'mount' }, 'kernel mount', 'plain'],
    ['limit-hit', { limit: 'wallMs', detail: 'still running' }, 'LIMIT wallMs still running', 'denied'],
    ['denied', { what: 'open', reason: 'policy' }, 'DENIED open policy', 'denied'],
    ['disk-change', { path, change: 'created', sizeBytes: 2048 }, 'disk /work/a created, 2 KiB', 'plain'],
    ['message', { direction: 'to-box', method: 'ping', id: 1, bytes: 9 }, 'message to-box ping #1 9 B', 'plain'],
    ['heartbeat', { number: 2, of: 'open' }, 'alive heartbeat 2 open', 'quiet'],
    ['open', {}, 'read ?', 'quiet'],
  ];
  it.each(table)('%s %j', (kind, fields, text, tone) => {
    const { verb, subject, detail, tone: seen } = describeEvent(event(kind, fields), context());
    expect([verb, subject, detail].filter((part) => part !== '').join(' ')).toBe(text);
    expect(verb.length).toBeLessThanOrEqual(8);
    expect(seen).toBe(tone);
  });

  it('has words for every kind', () => {
    const described = new Set(table.map(([kind]) => kind));
    expect(eventKinds.filter((kind) => !described.has(kind))).toEqual(['leak']);
  });

  it('says what a leak was, and who read and sent it', () => {
    const known = context();
    known.trails.learn(event('bait-read', { path: { text: '/h/.ssh/id_rsa' } }));
    const fields = {
      canary: 'key-1',
      vendor: 'ssh-key',
      planted: 'file .ssh/id_rsa',
      encodings: ['base64', 'gzip'],
      via: 'x.example:443',
    };
    const { process: _, ...unowned } = event('leak', fields);
    expect(describeEvent(unowned, known)).toMatchObject({
      subject: '.ssh/id_rsa (ssh-key) as base64 of gzip via x.example:443',
      detail: 'read by pid 42 → sent by an unknown process',
      tone: 'leak',
    });
  });

  it('says what was refused', () => {
    expect(describeEvent(event('open', { path, access: 'write' }, { outcome: 'denied' }), context())).toMatchObject({
      detail: 'denied',
      tone: 'denied',
    });
  });
});

describe('one event on a line', () => {
  it('has time, process, phase, deed and call', () => {
    const line = renderEventLine(
      event('open', { path, access: 'read' }, { call: 'c1' }),
      1_000_000_000n,
      context(),
      piped,
    );
    expect(line).toBe('   0.500      42  node             use        read     /work/a  call c1\n');
  });

  it('does without some of it where there is little room', () => {
    const line = renderEventLine(event('open', { path, access: 'read' }), 0n, context(), { ...piped, width: 50 });
    expect(line).toBe('   1.500      42  read     /work/a\n');
  });

  it('gives a leak more lines rather than half of it', () => {
    const fields = { canary: 'file .ssh/id_rsa', encoding: ['base64'], where: 'http body' };
    const lines = renderEventLine(event('leak', fields), 0n, context(), { ...piped, width: 80 }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]?.trim()).toBe('read by an unknown process → sent by pid 42');
  });

  it('is never wider than the terminal and never steers it', () => {
    const colored = describeTerminal({ color: 'always', isTerminal: true, columns: 80, environment: {} });
    const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constant('\u001b[2J\u202e\r'));
    const value = fc.oneof(
      anyText,
      anyText.map((text) => ({ text })),
      fc.jsonValue(),
    );
    const keys = [
      'path',
      'from',
      'to',
      'argv',
      'asked',
      'questions',
      'name',
      'call',
      'canary',
      'bytes',
      'host',
      'method',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...eventKinds),
        fc.dictionary(fc.constantFrom(...keys), value),
        anyText,
        fc.integer({ min: 40, max: 130 }),
        (kind, fields, name, width) => {
          const process = { pid: 4_194_304, parent: 1, name: { text: name } };
          const seen = event(kind, fields as Event['fields'], { process, call: name });
          for (const terminal of [
            { ...piped, width },
            { ...colored, width },
          ]) {
            const lines = renderEventLine(seen, 0n, context(), terminal).split('\n').slice(0, -1);
            for (const line of lines) {
              expect(displayWidth(line)).toBeLessThanOrEqual(width);
              expect(line.replaceAll(/\u001b\[\d+m/g, '')).not.toMatch(/[\p{Cc}\u202e]/u);
            }
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
