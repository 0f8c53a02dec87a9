import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSampleRelay, readAll } from './sample-session.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(isTrue: () => boolean): Promise<void> {
  for (let count = 0; count < 10_000 && !isTrue(); count += 1) await turn();
  expect(isTrue()).toBe(true);
}

describe('MessageRelay', () => {
  it('carries a whole session byte for byte, in order, both ways', async () => {
    const { relay, client, server, ledger } = openSampleRelay();
    const ended = relay.run();
    const asked = [
      '\ufeff{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\r\n',
      ' {"jsonrpc": "2.0","method":"notifications/initialized"}\n',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}\n',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}\n',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n',
    ].join('');
    for (const byte of Buffer.from(asked)) client.writes.write(Buffer.from([byte]));
    const received: Buffer[] = [];
    server.reads.on('data', (chunk: Buffer) => received.push(chunk));
    await until(() => Buffer.concat(received).length === Buffer.byteLength(asked));
    expect(Buffer.concat(received).toString()).toBe(asked);
    const said = [
      '{"jsonrpc":"2.0","id":0,"result":{ "protocolVersion":"2025-11-25" }}\n',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}\n',
      '{"jsonrpc":"2.0","id":"s1","method":"elicitation/create","params":{"message":"Name?"}}\n',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"caf\u00e9 \\u0041"}]}}\n',
    ].join('');
    server.writes.write(`Starting…\n${said}`);
    server.writes.end();
    const end = await ended;
    client.reads.end();
    expect((await readAll(client.reads)).toString()).toBe(said);
    expect(end).toMatchObject({ reason: 'server-ended', counts: { 'to-client': { noise: 1, messages: 4 } } });
    expect(ledger.entries.map(({ action }) => action)).toEqual([
      'tool.call',
      'tool.call',
      'message.drop',
      'elicitation.request',
    ]);
  });

  it('answers what waits when the server goes, and lets the server finish when the client goes', async () => {
    const first = openSampleRelay();
    const ended = first.relay.run();
    first.client.writes.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}\n');
    await until(() => first.server.reads.readableLength > 0);
    first.server.writes.end();
    expect(await ended).toMatchObject({ reason: 'server-ended' });
    expect(JSON.parse(first.client.reads.read().toString())).toMatchObject({
      id: 7,
      error: { data: { rule: 'guard/ended' } },
    });

    const second = openSampleRelay();
    const over = second.relay.run();
    const question = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
    // The last line has no end.
    second.client.writes.end(question);
    expect((await readAll(second.server.reads)).toString()).toBe(question);
    second.server.writes.end('{"jsonrpc":"2.0","id":7,"result":{}}\n');
    expect(await over).toMatchObject({ reason: 'client-ended' });
    expect(second.client.reads.read().toString()).toBe('{"jsonrpc":"2.0","id":7,"result":{}}\n');
  });

  it('gives up on a server that stays after its client, and can be closed at any time', async () => {
    const { relay, client } = openSampleRelay({ limits: { lingerMs: 5 } });
    client.writes.end();
    expect(await relay.run()).toMatchObject({ reason: 'client-ended' });
    const other = openSampleRelay();
    const ended = other.relay.run();
    other.relay.close();
    other.relay.close();
    expect(await ended).toMatchObject({ reason: 'closed' });
  });

  it('stops reading a server whose client does not read, and goes on when it does', async () => {
    const { relay, client, server } = openSampleRelay();
    const ended = relay.run();
    const line = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${'x'.repeat(10_000)}"}}\n`;
    let accepted = 0;
    for (; accepted < 1000 && server.writes.write(line); accepted += 1) await turn();
    // Two streams with their own buffers and a queue lie between; a thousand messages would be ten megabytes.
    expect(accepted).toBeLessThan(100);
    expect(client.reads.readableLength + server.writes.readableLength).toBeLessThan(200_000);
    server.writes.end();
    let bytes = 0;
    client.reads.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await ended;
    await until(() => bytes === (accepted + 1) * line.length);
  });

  it('reads a server that does not read itself', async () => {
    const { relay, client, server } = openSampleRelay();
    void relay.run();
    const line = `{"jsonrpc":"2.0","method":"notifications/x","params":{"data":"${'x'.repeat(10_000)}"}}\n`;
    for (let count = 0; count < 1000 && client.writes.write(line); count += 1) await turn();
    server.writes.write('{"jsonrpc":"2.0","method":"notifications/y"}\n');
    await until(() => client.reads.readableLength > 0);
    relay.close();
  });

  it('keeps the order of calls that wait for the ledger and messages that do not', async () => {
    const { relay, client, server, ledger } = openSampleRelay();
    void relay.run();
    let release = (): void => undefined;
    ledger.gate = new Promise((resolve) => {
      release = resolve;
    });
    const asked = Array.from({ length: 20 }, (_, id) =>
      id % 2 === 0
        ? `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t"}}\n`
        : `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`,
    ).join('');
    client.writes.write(asked);
    await turn();
    await turn();
    expect(server.reads.readableLength).toBe(0);
    release();
    await until(() => server.reads.readableLength === asked.length);
    expect(server.reads.read().toString()).toBe(asked);
    relay.close();
  });

  it('never throws over any bytes from either side, and lets honest lines through unchanged', async () => {
    const honest = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"a":"\u00e4"}}';
    const piece = fc.oneof(
      fc.constant(Buffer.from(`\n${honest}\n`)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.json({ maxDepth: 2 }).map((text) => Buffer.from(`${text}\n`)),
      fc
        .record({
          jsonrpc: fc.constant('2.0'),
          id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
          method: fc.string(),
          params: fc.anything(),
        })
        .map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 12 }), async (asked, said) => {
        const { relay, client, server } = openSampleRelay({ limits: { messageBytes: 300, depth: 8 } });
        const ended = relay.run();
        const outputs = [readAll(server.reads), readAll(client.reads)];
        for (const bytes of asked) client.writes.write(bytes);
        for (const bytes of said) server.writes.write(bytes);
        client.writes.end();
        server.writes.end();
        const end = await ended;
        client.reads.end();
        const [toServer = '', toClient = ''] = (await Promise.all(outputs)).map((bytes) => bytes.toString());
        const count = (list: readonly Buffer[]): number => list.filter((bytes) => bytes.includes(honest)).length;
        expect(end.problem).toBe(null);
        expect(toClient.split(`${honest}\n`).length - 1).toBe(count(said));
        expect(toServer.split(`${honest}\n`).length - 1).toBeLessThanOrEqual(count(asked));
        for (const line of toClient.split('\n').filter((text) => text !== ''))
          expect(JSON.parse(line)).toBeTypeOf('object');
      }),
      { numRuns: 150 },
    );
  });
});
