import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { LineTransport } from './line-transport.ts';

const transports: LineTransport[] = [];

async function open(drainMs = 60_000) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output, { drainMs });
  transports.push(transport);
  const received: JSONRPCMessage[] = [];
  let isClosed = false;
  transport.onmessage = (message) => void received.push(message);
  transport.onclose = () => {
    isClosed = true;
  };
  await transport.start();
  return { input, output, transport, received, isClosed: () => isClosed };
}

afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
});

const request = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call' })}\n`;

describe('LineTransport', () => {
  it('closes when its client has said all, and every answer is out', async () => {
    const { input, transport, received, isClosed } = await open();
    input.end(request(1));
    await expect.poll(() => received.length).toBe(1);
    expect(isClosed()).toBe(false);
    await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect(isClosed()).toBe(true);
    await expect(transport.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow(/gone/);
  });

  it('does not wait for answers that nobody gets', async () => {
    const { input, received, isClosed } = await open();
    input.write(request(1));
    input.end('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
    await expect.poll(isClosed).toBe(true);
    expect(received).toHaveLength(2);
  });

  it('does not wait for ever', async () => {
    const { input, isClosed } = await open(50);
    input.end(request(1));
    await expect.poll(isClosed).toBe(true);
  });

  it('does not listen to a client that does not read, until it reads', async () => {
    const { input, output, transport, received } = await open();
    const text = 'x'.repeat(3_000_000);
    const sent = [1, 2].map((id) => transport.send({ jsonrpc: '2.0', id, result: { text } }));
    expect(input.isPaused()).toBe(true);
    input.write(request(3));
    await new Promise(setImmediate);
    expect(received).toEqual([]);
    output.resume();
    await Promise.all(sent);
    await expect.poll(() => received.length).toBe(1);
  });

  it('closes when its client breaks the pipe', async () => {
    const { output, isClosed } = await open();
    output.destroy(new Error('EPIPE'));
    await expect.poll(isClosed).toBe(true);
  });
});
