import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json-shape.ts';
import type { Direction, MessageRule } from '../contract.ts';
import { faults, refusedCode } from './faults.ts';
import { lineOf, SampleGate } from './sample-session.ts';

const call = { name: 'add', arguments: { a: 1 } };
const passing = (id: string, judge: MessageRule['judge']): MessageRule => ({
  id,
  title: id,
  methods: ['*'],
  directions: ['to-server', 'to-client'],
  judge,
});
const hit = { rule: 'test/no', title: 'No', what: 'a thing', remedy: 'Do another.', details: { more: 1 } };
const refusing = passing('test/no', () => ({ is: 'refuse', hit }));
const changing = passing('test/change', ({ value, kind }) =>
  kind === 'response'
    ? { is: 'change', value: { ...value, result: { ...(value.result as JsonObject), text: 'changed' } }, hits: [hit] }
    : { is: 'pass' },
);

async function take(
  gate: SampleGate,
  direction: Direction,
  text: string,
): Promise<{ forward: string | null; reply: string | null }> {
  const { forward, reply } = await gate.gate.take(direction, lineOf(text));
  return { forward: forward?.toString('latin1') ?? null, reply: reply?.toString() ?? null };
}

describe('a line that is no message', () => {
  it.each<[string, string, keyof typeof faults, string]>([
    ['noise', 'Listening on port 3000', 'stream/not-json', 'null'],
    ['JSON that is something else', '{"level":"info"}', 'stream/not-json-rpc', 'null'],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 'stream/not-json-rpc', '7'],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 'stream/bad-id', 'null'],
    ['an id that is a list', '{"jsonrpc":"2.0","id":[1],"method":"ping"}', 'stream/bad-id', 'null'],
    [
      'an id that JavaScript rounds',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      'stream/bad-id',
      'null',
    ],
    ['an id of 2000 letters', `{"jsonrpc":"2.0","id":"${'x'.repeat(2000)}","method":"ping"}`, 'stream/bad-id', 'null'],
    ['a request that is an answer', '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', 'stream/ambiguous', '1'],
    ['a result that is an error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 'stream/ambiguous', '1'],
    ['a key twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', 'stream/duplicate-keys', '1'],
    [
      'a key twice, deep down',
      '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[{"b":1,"b":2}]}}',
      'stream/duplicate-keys',
      '1',
    ],
    ['a key in other letters', '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"x"}', 'stream/key-variant', '1'],
    [
      'a key in other letters yet',
      '{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{}}',
      'stream/key-variant',
      '1',
    ],
    ['a line break for some', '{"jsonrpc":"2.0","id":1,\r"method":"ping"}', 'stream/line-break', '1'],
    ['an empty batch', '[]', 'stream/bad-batch', 'null'],
    [
      'too much depth',
      `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(600)}${']'.repeat(600)}}`,
      'stream/too-deep',
      '1',
    ],
    ['half a message', '{"jsonrpc":"2.0","id":5,"method":"x"', 'stream/not-json', '5'],
  ])('%s is told to the client that wrote it', async (_name, text, rule, id) => {
    const { forward, reply } = await take(new SampleGate(), 'to-server', text);
    expect(forward).toBe(null);
    expect(reply).toContain(`"id":${id},`);
    expect(JSON.parse(reply ?? '')).toMatchObject({
      jsonrpc: '2.0',
      error: { code: faults[rule].code, data: { rule } },
    });
  });

  it('of a server never reaches the client, and is counted and recorded without end', async () => {
    const gate = new SampleGate();
    for (let count = 0; count < 150; count += 1)
      expect(await take(gate, 'to-client', 'Listening on port 3000')).toEqual({ forward: null, reply: null });
    gate.gate.close();
    await Promise.resolve();
    expect(gate.gate.tallies['to-client']).toMatchObject({ noise: 150 });
    expect(gate.ledger.entries.map(({ rule, details }) => [rule, details?.count])).toEqual(
      [1, 10, 100, 150].map((count) => ['stream/not-json', count]),
    );
  });

  it('of a server that would have been an answer becomes an error for who waits', async () => {
    for (const broken of [
      '{"jsonrpc":"2.0","id":1,"result":{"a":}}',
      '{"result":{"a":\u0001},"jsonrpc":"2.0","id":1}',
    ]) {
      const gate = new SampleGate();
      await gate.ask('tools/call', call);
      const { forward } = await take(gate, 'to-client', broken);
      expect(JSON.parse(forward ?? '')).toMatchObject({ id: 1, error: { data: { rule: 'stream/not-json' } } });
    }
    const gate = new SampleGate({ limits: { messageBytes: 100 } });
    await gate.ask('tools/call', call);
    const tail = Buffer.from(`${'x'.repeat(200)}"},"jsonrpc":"2.0","id":1}`);
    const passage = await gate.gate.take('to-client', {
      is: 'too-long',
      bytes: 300,
      head: Buffer.from('{"result":{"a":"xx'),
      tail,
    });
    expect(JSON.parse(passage.forward?.toString() ?? '')).toMatchObject({
      id: 1,
      error: { data: { rule: 'stream/too-long' } },
    });
  });

  it('passes in audit mode where it can be read, and is noted', async () => {
    const gate = new SampleGate({ mode: 'audit' });
    const text = '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}';
    expect(await take(gate, 'to-server', text)).toEqual({ forward: `${text}\n`, reply: null });
    expect(gate.ledger.entries).toMatchObject([{ verdict: 'noted', rule: 'stream/duplicate-keys' }]);
  });
});

describe('answers', () => {
  it('are tied to requests, once, and not before those went out', async () => {
    const gate = new SampleGate();
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect((await take(gate, 'to-client', answer)).forward).toBe(null);
    let release = (): void => undefined;
    gate.ledger.gate = new Promise((resolve) => {
      release = resolve;
    });
    const asked = gate.ask('tools/call', call);
    expect((await take(gate, 'to-client', answer)).forward).toBe(null);
    release();
    expect((await asked).forward).toContain('tools/call');
    expect((await take(gate, 'to-client', '{"jsonrpc":"2.0","id":"1","result":{}}')).forward).toBe(null);
    expect((await take(gate, 'to-client', answer)).forward).toBe(`${answer}\n`);
    expect((await take(gate, 'to-client', answer)).forward).toBe(null);
    expect(gate.gate.tallies['to-client'].dropped).toBe(4);
  });

  it('to requests of the server go the other way', async () => {
    const gate = new SampleGate();
    const asked = await gate.tell({ id: 'r1', method: 'roots/list' });
    expect(asked.forward).toBe(`${asked.given}\n`);
    const answer = '{"jsonrpc":"2.0","id":"r1","result":{"roots":[]}}';
    expect((await take(gate, 'to-server', answer)).forward).toBe(`${answer}\n`);
    expect((await take(gate, 'to-server', answer)).forward).toBe(null);
  });

  it('are bounded: an id in use and too many open requests are refused, cancelled ones make room', async () => {
    const gate = new SampleGate({ limits: { openRequests: 2 } });
    const ask = (id: number): Promise<{ forward: string | null; reply: string | null }> =>
      take(gate, 'to-server', `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect((await ask(1)).reply).toBe(null);
    expect((await ask(1)).reply).toContain('stream/id-in-use');
    expect((await ask(2)).reply).toBe(null);
    expect((await ask(3)).reply).toContain('stream/too-many-open');
    await take(gate, 'to-server', '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');
    expect((await ask(3)).reply).toBe(null);
    expect(
      gate.gate
        .abandon()
        ?.toString()
        .match(/guard\/ended/g),
    ).toHaveLength(4);
  });
});

describe('rules', () => {
  it('refuse requests with an error, answers with an error in their place, and drop notifications', async () => {
    const gate = new SampleGate({ rules: [refusing] });
    const { reply, forward } = await gate.ask('tools/call', call);
    expect(forward).toBe(null);
    expect(JSON.parse(reply ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: refusedCode,
        message: 'Hotcell refused this (test/no): a thing. Do another.',
        data: { rule: 'test/no', title: 'No', remedy: 'Do another.', details: { more: 1 } },
      },
    });
    expect(await gate.tell({ method: 'notifications/message', params: {} })).toMatchObject({
      forward: null,
      reply: null,
    });
    const toClient = new SampleGate({ rules: [{ ...refusing, directions: ['to-client'] }] });
    await toClient.ask('tools/call', call);
    expect(JSON.parse((await toClient.answer({ result: {} })).forward ?? '')).toMatchObject({
      id: 1,
      error: { code: refusedCode },
    });
    const sampling = await toClient.tell({ id: 'x', method: 'sampling/createMessage', params: {} });
    expect(sampling.forward).toBe(null);
    expect(JSON.parse(sampling.reply ?? '')).toMatchObject({ id: 'x', error: { data: { rule: 'test/no' } } });
  });

  it('change answers and keep ids and numbers as they were written', async () => {
    const gate = new SampleGate({ rules: [changing] });
    await take(gate, 'to-server', '{"jsonrpc":"2.0","id":1.0,"method":"tools/list"}');
    const { forward } = await take(
      gate,
      'to-client',
      '{"jsonrpc":"2.0","id":1.0,"result":{"n":12345678901234567890,"f":0.1,"x":1e400}}',
    );
    expect(forward).toBe(
      '{"id":1.0,"jsonrpc":"2.0","result":{"n":12345678901234567890,"f":0.1,"x":1e400,"text":"changed"}}\n',
    );
  });

  it('change nothing in audit and learn, and tell the same', async () => {
    for (const mode of ['audit', 'learn'] as const) {
      const gate = new SampleGate({ mode, rules: [refusing, changing] });
      const { forward, given } = await gate.ask('tools/call', call);
      expect(forward).toBe(`${given}\n`);
      const answered = await gate.answer({ result: {} });
      expect(answered.forward).toBe(`${answered.given}\n`);
      expect(gate.ledger.entries.map(({ action, verdict, rule }) => `${action} ${verdict} ${rule}`)).toEqual([
        'tool.call allowed test/no',
        'message.note noted test/no',
      ]);
    }
  });

  it('that throw refuse, whatever they wanted', async () => {
    const gate = new SampleGate({
      rules: [
        passing('test/broken', () => {
          throw new Error('secret');
        }),
      ],
    });
    const { reply } = await gate.ask('tools/call', call);
    expect(reply).toContain('guard/failed');
    expect(reply).not.toContain('secret');
  });
});

describe('the ledger', () => {
  it('has every call before it goes on, without what it was called with', async () => {
    const gate = new SampleGate({ policy: 'f00', describe: () => ({ place: 'here' }) });
    await gate.ask('tools/call', { name: 'add\u001b[31m', arguments: { password: 'hunter2' } });
    expect(gate.ledger.entries).toEqual([
      {
        instrument: 'guard',
        session: 'session',
        server: 'sample',
        policy: 'f00',
        action: 'tool.call',
        verdict: 'allowed',
        details: {
          method: 'tools/call',
          direction: 'to-server',
          kind: 'request',
          bytes: expect.any(Number),
          tool: 'add\\x1b[31m',
          arguments: gate.ledger.hashSecret('{"password":"hunter2"}'),
          place: 'here',
        },
      },
    ]);
    expect(JSON.stringify(gate.ledger.entries)).not.toContain('hunter2');
  });

  it.each(['enforce', 'audit', 'learn'] as const)('that fails stops the call, in %s too', async (mode) => {
    const gate = new SampleGate({ mode });
    gate.ledger.isBroken = true;
    const { forward, reply } = await gate.ask('tools/call', call);
    expect(forward).toBe(null);
    expect(JSON.parse(reply ?? '')).toMatchObject({ id: 1, error: { data: { rule: 'ledger/failed' } } });
    expect((await gate.ask('tools/list', {})).forward).not.toBe(null);
  });
});

describe('batches', () => {
  const request = (id: number, method = 'ping'): string => `{"jsonrpc": "2.0", "id":${id},"method":"${method}"}`;
  it('pass as they are when every member passes', async () => {
    const text = `[ ${request(1)} ,${request(2)}]`;
    expect(await take(new SampleGate(), 'to-server', text)).toEqual({ forward: `${text}\n`, reply: null });
  });

  it('lose the members that are refused, whose sender is told', async () => {
    const only = { ...refusing, methods: ['tools/call'] };
    const gate = new SampleGate({ rules: [only] });
    const { forward, reply } = await take(
      gate,
      'to-server',
      `[${request(1)},${request(2, 'tools/call')},{"x":1},${request(3)}]`,
    );
    expect(forward).toBe(`[${request(1)},${request(3)}]\n`);
    expect(JSON.parse(reply ?? '')).toMatchObject([
      { id: 2, error: { data: { rule: 'test/no' } } },
      { id: null, error: { data: { rule: 'stream/not-json-rpc' } } },
    ]);
  });
});
