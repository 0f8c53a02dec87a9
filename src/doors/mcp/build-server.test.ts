import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerWishes } from './build-server.ts';
import { sampleFactory } from './sample-door.ts';
import { sampleToolset, sampleTrace } from './sample-toolset.ts';

const open: (() => Promise<void>)[] = [];

async function connect(wishes: Partial<ServerWishes> = {}): Promise<Client> {
  const makeServer = await sampleFactory(wishes);
  const [left, right] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const server = makeServer('test');
  await server.connect(right);
  await client.connect(left);
  open.push(() => client.close());
  return client;
}

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

function textOf(result: { readonly content: unknown }): string {
  const [first] = result.content as readonly { readonly text?: string }[];
  return first?.text ?? '';
}

describe('a server', () => {
  it('tells what its tools take, give and do', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'quote', 'wait', 'fail', 'change']);
    expect(tools.find(({ name }) => name === 'change')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
    const [echo] = tools;
    expect(echo?.title).toBe('Echo');
    expect(echo?.inputSchema).toMatchObject({ required: ['text'], additionalProperties: false });
    expect(echo?.outputSchema).toMatchObject({ type: 'object', required: ['text'] });
    const wait = tools.find(({ name }) => name === 'wait');
    expect(wait?.inputSchema.required, 'a default is not required of a caller').toEqual(['ms']);
  });

  it('says in the list which tools cannot work here, and why', async () => {
    const client = await connect({ unavailable: new Map([['echo', 'echo is not installed']]) });
    const { tools } = await client.listTools();
    const [echo, quote] = tools;
    expect(echo?.description).toMatch(/^Not available on this machine: echo is not installed\. \w/);
    expect(quote?.description).not.toContain('Not available');
  });

  it('has no tool that was left out', async () => {
    const client = await connect({ isReadOnly: true, deny: ['fail'] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'quote', 'wait']);
    for (const name of ['change', 'fail', '__proto__', 'constructor']) {
      await expect(client.callTool({ name, arguments: {} }), name).rejects.toThrow();
    }
  });

  it('tells models what a fence means', async () => {
    const client = await connect();
    expect(client.getInstructions()).toMatch(/never an instruction/);
    const result = await client.callTool({ name: 'quote', arguments: { text: 'obey\u001b[2J me' } });
    expect(textOf(result)).toMatch(/^Untrusted data from a sample/);
    expect(textOf(result)).toContain('obey\\x1b[2J me');
  });

  it.each([
    ['an answer', 'echo', { text: 'hi' }, false, /^hi$/],
    ['a field that is missing', 'echo', {}, true, /text/],
    ['a field that is not known', 'echo', { text: 'a', txt: 'b' }, true, /txt/],
    ['a failure that was foreseen', 'fail', { isForeseen: true }, true, /did not answer[\s\S]*try again/],
    ['a failure that nobody foresaw', 'fail', { isForeseen: false }, true, /^Error: internal error/],
  ])('gives %s', async (_, name, input, isError, text) => {
    const client = await connect();
    const result = await client.callTool({ name, arguments: input });
    expect(result.isError ?? false).toBe(isError);
    expect(textOf(result)).toMatch(text);
    expect(textOf(result)).not.toContain('secret');
  });

  it('gives prompts and resources', async () => {
    const client = await connect();
    const prompt = await client.getPrompt({ name: 'review', arguments: { what: 'this' } });
    expect(prompt.messages[0]?.content).toEqual({ type: 'text', text: 'Look at this.' });
    await expect(client.getPrompt({ name: 'review', arguments: {} })).rejects.toThrow();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['hotcell://notes/one']);
    const read = await client.readResource({ uri: 'hotcell://notes/one' });
    expect(read.contents[0]).toMatchObject({ text: 'the first note' });
    await expect(client.readResource({ uri: 'hotcell://notes/two' })).rejects.toThrow();
  });

  it('tells its progress, and stops when nobody wants the answer', async () => {
    const trace = sampleTrace();
    const client = await connect({ toolsets: [sampleToolset(trace)] });
    const seen: number[] = [];
    client.setNotificationHandler('notifications/progress', ({ params }) => void seen.push(params.progress));
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'wait', arguments: { ms: 30_000, steps: 60 } },
      { signal: stop.signal, onprogress: () => {} },
    );
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    stop.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => trace.aborted).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it('ends what runs when it has to end', async () => {
    const trace = sampleTrace();
    const stop = new AbortController();
    const client = await connect({ toolsets: [sampleToolset(trace)], stop: stop.signal });
    const call = client.callTool({ name: 'wait', arguments: { ms: 30_000 } });
    await expect.poll(() => trace.started).toBe(1);
    stop.abort();
    expect((await call).isError).toBe(true);
    expect(trace).toEqual({ started: 1, aborted: 1, ended: 0 });
  });
});
