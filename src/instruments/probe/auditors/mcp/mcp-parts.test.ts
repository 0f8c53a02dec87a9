import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditAnswer } from '../contract.ts';
import { Inquiry } from '../inquiry/inquiry.ts';
import { messagesOf, replyTo } from './messages.ts';
import { mcpGroup, mcpRules } from './rules.ts';
import { judgeSessionIds } from './session-ids.ts';
import { tellingName } from './telling-names.ts';
import { checkPlainHttp } from './transport.ts';

const times = <T>(make: (index: number) => T): readonly T[] => Array.from({ length: 7 }, (_, index) => make(index));

const ids: readonly { title: string; ids: readonly string[]; isWeak: boolean }[] = [
  { title: 'random UUIDs', ids: times(() => randomUUID()), isWeak: false },
  { title: 'random bytes', ids: times(() => randomBytes(16).toString('base64url')), isWeak: false },
  {
    title: 'UUIDs of time and chance',
    ids: times((n) => `0192a3b4-c5d6-7${randomUUID().slice(15, 34)}${n}a`),
    isWeak: false,
  },
  { title: 'none', ids: [], isWeak: false },
  { title: 'a count', ids: times((n) => `sess-0000000000000${n}`), isWeak: true },
  { title: 'a hashless count', ids: times((n) => String(1_700_000_000_000_000 + n * 977)), isWeak: true },
  { title: 'short ones', ids: times(() => randomBytes(5).toString('hex')), isWeak: true },
  { title: 'UUIDs of a clock', ids: times((n) => `c232ab0${n}-9414-11ec-b3c8-9f6bdeced846`), isWeak: true },
  { title: 'the same', ids: ['a'.repeat(40), 'a'.repeat(40)], isWeak: true },
];

describe('session ids', () => {
  it.each(ids)('$title', ({ ids: given, isWeak }) => {
    expect(judgeSessionIds(given) !== null).toBe(isWeak);
  });
});

describe('names of tools', () => {
  it.each(['exec', 'run_shell', 'readFile', 'fs.writeFile', 'query-sql', 'getSecret', 'HTTP_request'])(
    '%s tells',
    (name) => {
      expect(tellingName(name)).not.toBeNull();
    },
  );
  it.each(['weather', 'profile', 'add', 'compute', 'executive_summary', ''])('%s does not', (name) => {
    expect(tellingName(name)).toBeNull();
  });
});

function answerOf(body: Uint8Array, type: string): AuditAnswer {
  const headers = [['content-type', type] as const];
  return { status: 200, httpVersion: '1.1', headers, body: Buffer.from(body), isCut: false, elapsedMs: 1 };
}

describe('messages', () => {
  it('are read out of anything', () => {
    const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);
    const text = fc.oneof(
      fc.uint8Array(),
      fc.json().map((each) => Buffer.from(`data: ${each}\n\n`)),
      fc.json().map((each) => Buffer.from(each)),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('application/json', 'text/event-stream', ''), (body, type) => {
        const messages = messagesOf(answerOf(body, type));
        replyTo(messages, '1');
        return messages.every((message) => typeof message === 'object');
      }),
      { numRuns: runs },
    );
  });

  it('are matched by id, and an error may lack one', () => {
    const own = { id: 1, result: {} };
    expect(replyTo([{ id: 2, result: {} }, own], '1')).toBe(own);
    expect(replyTo([{ id: 2, result: {} }], '1')).toBeUndefined();
    expect(replyTo([{ id: null, error: {} }], '1')).toEqual({ id: null, error: {} });
  });
});

describe('plain http', () => {
  it.each([
    ['http://192.0.2.7/mcp', '192.0.2.7', 1],
    ['https://192.0.2.7/mcp', '192.0.2.7', 0],
    ['http://127.0.0.1/mcp', '127.0.0.1', 0],
  ])('%s', (url, address, count) => {
    const rules: string[] = [];
    const input = {
      arguments: {},
      url,
      host: address,
      addresses: [address],
      ports: [],
      limits: { urls: [], methods: [] },
      pace: { requestsPerSecond: 1, connections: 1 },
      credential: null,
    };
    const client = { send: () => Promise.reject(new Error('nothing is sent')), sent: 0 };
    const say = (line: { readonly type: string }) => void rules.push(line.type);
    checkPlainHttp(new Inquiry({ input, client, say }, { group: mcpGroup, rules: mcpRules, mostRequests: 1 }));
    expect(rules.filter((type) => type === 'finding')).toHaveLength(count);
  });
});
