import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointPath } from './sse-channel.ts';
import { SseReader } from './sse-reader.ts';

function read(chunks: readonly (string | Uint8Array)[], frameBytes = 1000) {
  const events: [string, string][] = [];
  let cuts = 0;
  const reader = new SseReader(
    {
      event: (name, data) => void events.push([name, data.toString('utf8')]),
      cut: () => {
        cuts += 1;
      },
    },
    frameBytes,
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk as Uint8Array));
  reader.end();
  return { events, cuts };
}

const cases: readonly { title: string; input: readonly string[]; events: readonly [string, string][] }[] = [
  { title: 'one event', input: ['data: a\n\n'], events: [['message', 'a']] },
  { title: 'a name', input: ['event: endpoint\ndata: /x\n\n'], events: [['endpoint', '/x']] },
  { title: 'several data lines', input: ['data: a\ndata:b\n\n'], events: [['message', 'a\nb']] },
  {
    title: 'CRLF and CR',
    input: ['data: a\r\n\r\ndata: b\r\r'],
    events: [
      ['message', 'a'],
      ['message', 'b'],
    ],
  },
  {
    title: 'CRLF in pieces',
    input: ['data: a\r', '\n\r', '\ndata: b\n\n'],
    events: [
      ['message', 'a'],
      ['message', 'b'],
    ],
  },
  { title: 'comments, ids and times', input: [': hi\nid: 1\nretry: 5\ndata: a\n\n'], events: [['message', 'a']] },
  { title: 'a byte order mark', input: ['\uFEFFdata: a\n\n'], events: [['message', 'a']] },
  { title: 'an event without data', input: ['event: x\n\ndata: a\n\n'], events: [['message', 'a']] },
  { title: 'no empty line at the end', input: ['data: a'], events: [['message', 'a']] },
  { title: 'a field without a colon', input: ['data\n\n'], events: [['message', '']] },
];

describe('server-sent events', () => {
  it.each(cases)('$title', ({ input, events }) => {
    expect(read(input).events).toEqual(events);
  });

  it('over the cap are cut, in one line and in many', () => {
    expect(read([`data: ${'x'.repeat(5000)}\n\n`, 'data: a\n\n'])).toEqual({ events: [['message', 'a']], cuts: 1 });
    expect(read([`${'data: xxxxxxxxx\n'.repeat(500)}\n`, 'data: a\n\n'])).toEqual({
      events: [['message', 'a']],
      cuts: 1,
    });
  });

  it('are the same however the bytes are cut', () => {
    const piece = fc.constantFrom('data: a', '\n', '\r', '\r\n', ':', 'event: b', ' ', 'data');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(60), { maxLength: 6 }), (pieces, cuts) => {
        const whole = pieces.join('');
        const at = [...new Set(cuts.filter((cut) => cut < whole.length))].sort((a, b) => a - b);
        const chunks = [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
        expect(read(chunks)).toEqual(read([whole]));
      }),
    );
  });

  it('of any bytes are no exception', () => {
    fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 100 })), (chunks) => void read(chunks, 20)));
  });
});

describe('an endpoint', () => {
  const url = new URL('http://127.0.0.1:80/sse');
  it.each([
    ['/messages?id=1', '/messages?id=1'],
    ['messages', '/messages'],
    ['http://127.0.0.1/m', '/m'],
    ['http://evil.example/m', null],
    ['//evil.example/m', null],
    ['https://127.0.0.1/m', null],
    ['http://[', null],
    ['x'.repeat(5000), null],
  ])('%s', (data, path) => {
    expect(endpointPath(data, url)).toBe(path);
  });
});
