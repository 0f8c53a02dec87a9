import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from '../../../targets/conversation/sse-reader.ts';
import { relayEvents } from './relay-events.ts';
import { openSampleGate, withSortedKeys } from './sample-front.ts';
import { SseBlockReader } from './sse-blocks.ts';
import { readEvent } from './sse-event.ts';

/** Cut at these places, whatever they fall on. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...sorted, bytes.length].map((end, at) => bytes.subarray(at === 0 ? 0 : sorted[at - 1], end));
}

interface Relayed {
  readonly text: string;
  readonly replies: readonly string[];
}

async function relay(chunks: readonly Uint8Array[], mostBytes = 100_000): Promise<Relayed> {
  const written: Buffer[] = [];
  const replies: string[] = [];
  async function* body() {
    yield* chunks;
  }
  const sink = {
    write: async (bytes: Buffer) => written.push(bytes) > 0,
    reply: (bytes: Buffer) => void replies.push(bytes.toString()),
    endpoint: (address: string) => (address.startsWith('/') ? address : null),
  };
  const gate = openSampleGate();
  for (const id of [1, 2, '"a"']) {
    const ask = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"good"}}`);
    await gate.take('to-server', { is: 'line', whole: ask, content: ask });
  }
  await relayEvents(body(), gate, sink, mostBytes);
  return { text: Buffer.concat(written).toString(), replies };
}

function readBack(text: string): readonly string[] {
  const events: string[] = [];
  const reader = new SseReader(
    { event: (name, data) => void events.push(`${name} ${data.toString()}`), cut: () => undefined },
    100_000,
  );
  reader.push(Buffer.from(text));
  reader.end();
  return events;
}

const answer = (id: unknown, text = 'fine') => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${text}"}}`;

describe('a stream of events', () => {
  const unchanged: readonly (readonly [string, string])[] = [
    ['a message', `event: message\nid: 7\ndata: ${answer(1)}\n\n`],
    ['carriage returns and line feeds', `id: 7\r\ndata: ${answer(1)}\r\n\r\n: ping\r\n\r\ndata:${answer(2)}\r\n\r\n`],
    ['carriage returns alone', `data: ${answer(1)}\r\rdata: ${answer(2)}\r\r`],
    ['comments and empty lines', ': ping\n\n\n\n: pong\n\n'],
    ['a message over several lines', 'data: {"jsonrpc":"2.0",\ndata: "id":1,\ndata:"result":{}}\n\n'],
    ['an event that primes', 'id: 1\nretry: 3000\ndata: \n\n'],
    ['an event of another name', 'event: ping\ndata: now\n\n'],
    ['a notification', 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n'],
    ['an endpoint', 'event: endpoint\ndata: /messages?sessionId=1\n\n'],
    ['no empty line at the end', `data: ${answer(1)}\n`],
    ['a mark at the beginning', `\uFEFFdata: ${answer(1)}\n\n`],
  ];
  it.each(unchanged)('passes %s byte for byte, however it is cut', async (_what, text) => {
    for (const size of [1, 3, 1000]) {
      const bytes = Buffer.from(text);
      const places = Array.from({ length: Math.floor(bytes.length / size) }, (_, at) => at * size);
      expect((await relay(cutAt(bytes, places))).text).toBe(text);
    }
  });

  const changed: readonly (readonly [string, string, string])[] = [
    [
      'a changed answer keeps its id',
      `id: 7\ndata: ${answer(1, 'a SECRET')}\n\n`,
      `id: 7\ndata: ${answer(1, 'a xxx')}\n\n`,
    ],
    ['an answer nobody asked for', `id: 8\ndata: ${answer(99)}\n\n`, 'id: 8\n\n'],
    ['noise', 'data: not json\n\n', ''],
    ['a message under another name', `event: other\ndata: ${answer(99)}\n\n`, ''],
    ['an endpoint elsewhere', 'event: endpoint\ndata: http://evil.example/\n\n', ''],
    ['fields that nobody knows', `Data: {"x":1}\ndata: ${answer(1)}\n\n`, `data: ${answer(1)}\n\n`],
    [
      'a line end that only some know',
      `: x\u2028data: ${answer(99)}\ndata: ${answer(1, 'a\u2028b')}\n\n`,
      `data: ${answer(1, 'a\\u2028b')}\n\n`,
    ],
    ['the same in a comment', `: x\u2028data: ${answer(99)}\n\n`, ''],
  ];
  it.each(changed)('%s', async (_what, text, expected) => {
    expect(withSortedKeys((await relay([Buffer.from(text)])).text)).toBe(withSortedKeys(expected));
  });

  it('tells the server of a refusal, and the client of an answer that is too long', async () => {
    const ask = '{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{}}';
    const refused = await relay([Buffer.from(`data: ${ask}\n\ndata: ${answer(2)}\n\n`)]);
    expect(refused.text).toBe(`data: ${answer(2)}\n\n`);
    expect(refused.replies[0]).toContain('"id":5,"error"');
    const long = `data: {"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5000)}"}\n\ndata: ${answer(2)}\n\n`;
    const { text } = await relay(cutAt(Buffer.from(long), [100, 700, 1300, 4000]), 1000);
    expect(readBack(text)).toMatchObject([expect.stringContaining('"id":1,"error"'), `message ${answer(2)}`]);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      'data: ',
      'data:',
      'data',
      ': c',
      'id: 1',
      'event: message',
      'retry: 5',
      '\u2028',
      '\0',
    ),
    fc.constantFrom(
      'event: x',
      'event: endpoint',
      '/m',
      'http://e/',
      '{',
      '}',
      answer(1),
      answer(2, 'SECRET'),
      answer('"a"'),
    ),
    fc.string({ maxLength: 8 }),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  it('is cut into blocks that give it back, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 12 }), (pieces, places) => {
        const bytes = Buffer.from(pieces.join(''));
        const read = (chunks: readonly Buffer[]) => {
          const reader = new SseBlockReader(1_000_000);
          const blocks = [...chunks.flatMap((chunk) => [...reader.push(chunk)]), ...reader.end()];
          return blocks.map((block) => (block.is === 'block' ? block.raw : Buffer.alloc(0)));
        };
        const blocks = read(cutAt(bytes, places));
        expect(Buffer.concat(blocks).equals(bytes)).toBe(true);
        // The same events in the same order, whether it came at once or in pieces.
        const said = (all: readonly Buffer[]) =>
          all.flatMap((raw, at) => readEvent(raw, at === 0).data?.toString('latin1') ?? []);
        expect(said(blocks)).toEqual(said(read([bytes])));
      }),
      { numRuns: 1000 },
    );
  });

  it('lets nothing through that was not judged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (pieces, places) => {
          const { text } = await relay(cutAt(Buffer.from(pieces.join('')), places), 2000);
          for (const event of readBack(text)) {
            expect(event).not.toContain('SECRET');
            // Other readers end lines at more characters, and must not see more than this one.
            if (event.startsWith('message {')) expect(() => JSON.parse(event.slice(8))).not.toThrow();
          }
          const others = text
            .split(/\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/)
            .filter((line) => line.startsWith('data:'));
          expect(others.join('\n')).not.toContain('SECRET');
        },
      ),
      { numRuns: 500 },
    );
  });
});
