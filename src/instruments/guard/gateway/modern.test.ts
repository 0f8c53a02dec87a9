import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { asArray, asObject, type JsonObject } from '../../../base/json-shape.ts';
import { honestServer, type Message, openSample, type Sample, sampleServer, textResult } from './sample-servers.ts';

/** The two eras of the protocol, on either side. */

const version = 'io.modelcontextprotocol/protocolVersion';
const subscription = 'io.modelcontextprotocol/subscriptionId';
const envelope = (protocolVersion = '2026-07-28') => ({
  [version]: protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
});
const ask = (sample: Sample, method: string, params: object = {}) =>
  sample.request(method, { ...params, _meta: envelope() });

/** A server that knows nothing of `initialize`. */
function newServer(name: string) {
  return sampleServer(name, ({ id, method, params }, side) => {
    if (id === undefined || method === undefined) return;
    const meta = asObject(params?._meta);
    if (meta[version] !== '2026-07-28') side.send({ id, error: { code: -32601, message: 'Method not found' } });
    else if (method === 'server/discover') {
      side.send({
        id,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: { listChanged: true }, resources: {} },
          instructions: 'new',
        },
      });
    } else if (method === 'tools/list')
      side.send({
        id,
        result: {
          resultType: 'complete',
          ttlMs: 5,
          cacheScope: 'public',
          tools: [{ name: 't', inputSchema: { type: 'object' } }],
        },
      });
    else if (method === 'tools/call' && params?.inputResponses === undefined) {
      const who = {
        method: 'elicitation/create',
        params: { message: 'who?', requestedSchema: { type: 'object', properties: { n: { type: 'string' } } } },
      };
      side.send({ id, result: { resultType: 'input_required', inputRequests: { who }, requestState: 'state' } });
    } else if (method === 'tools/call') {
      side.send({
        id,
        result: {
          resultType: 'complete',
          ...textResult(JSON.stringify([params?.inputResponses, params?.requestState])),
        },
      });
    } else if (method !== 'subscriptions/listen')
      side.send({ id, error: { code: -32601, message: 'Method not found' } });
  });
}

const listening = (message: Message): boolean => message.method === 'subscriptions/listen';

describe('protocol 2026-07-28', () => {
  it('a newer client with servers of both eras', async () => {
    const [young, old] = [newServer('young'), honestServer('old', { tools: ['t'], resources: ['a:1'] })];
    await using sample = openSample([young, old]);
    const hello = await ask(sample, 'server/discover');
    expect(hello.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      ttlMs: 0,
    });
    expect(sample.gateway.status().map(({ state }) => state)).toMatchObject([
      { protocolVersion: '2026-07-28' },
      { protocolVersion: '2025-11-25' },
    ]);
    const { result } = await ask(sample, 'tools/list');
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(asArray(result?.tools).map((tool) => asObject(tool).name)).toEqual(['young__t', 'old__t']);
    expect((await ask(sample, 'tools/call', { name: 'old__t' })).result).toEqual({
      resultType: 'complete',
      ...textResult('old t'),
    });
    expect(old.side.heard.at(-1)?.params?._meta).toEqual({});
    // What the newer server wants to know is for the client to find out.
    expect((await ask(sample, 'tools/call', { name: 'young__t' })).result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { who: { method: 'elicitation/create' } },
      requestState: 'state',
    });
    const again = { name: 'young__t', inputResponses: { who: { action: 'accept' } }, requestState: 'state' };
    expect(JSON.stringify((await ask(sample, 'tools/call', again)).result)).toContain('accept');
    expect((await sample.request('tools/list', { _meta: envelope('2027-01-01') })).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'] },
    });
  });

  it('a newer client that listens', async () => {
    const [young, old] = [newServer('young'), honestServer('old', { tools: ['t'], resources: ['a:1'] })];
    await using sample = openSample([young, old]);
    await ask(sample, 'server/discover');
    expect(young.side.heard.find(listening)?.params?.notifications).toEqual({
      toolsListChanged: true,
      resourcesListChanged: true,
    });
    const wanted = {
      toolsListChanged: true,
      resourceSubscriptions: ['hotcell:old/a:1', 'hotcell:young/b:2', 'nowhere:x'],
    };
    sample.send({ id: 'sub', method: 'subscriptions/listen', params: { notifications: wanted, _meta: envelope() } });
    const acknowledged = await sample.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(acknowledged.params).toEqual({
      notifications: { toolsListChanged: true, resourceSubscriptions: ['hotcell:old/a:1', 'hotcell:young/b:2'] },
      _meta: { [subscription]: 'sub' },
    });
    await ask(sample, 'tools/list');
    expect(old.side.heard.map(({ method }) => method)).toContain('resources/subscribe');
    expect(young.side.heard.filter(listening).at(-1)?.params?.notifications).toEqual({
      resourceSubscriptions: ['b:2'],
    });
    old.side.send({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
    young.side.send({
      method: 'notifications/resources/updated',
      params: { uri: 'b:2', _meta: { [subscription]: 2 } },
    });
    young.side.send({ method: 'notifications/prompts/list_changed' });
    young.side.send({ method: 'notifications/tools/list_changed' });
    await sample.until(({ method }) => method === 'notifications/tools/list_changed');
    const told = sample.heard.filter(({ method }) => /updated|list_changed/.test(method ?? ''));
    expect(told.map(({ method, params }) => [method, params])).toEqual([
      ['notifications/resources/updated', { uri: 'hotcell:old/a:1', _meta: { [subscription]: 'sub' } }],
      ['notifications/resources/updated', { uri: 'hotcell:young/b:2', _meta: { [subscription]: 'sub' } }],
      ['notifications/tools/list_changed', { _meta: { [subscription]: 'sub' } }],
    ]);
    sample.send({ method: 'notifications/cancelled', params: { requestId: 'sub' } });
    await ask(sample, 'tools/list');
    old.side.send({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
    await ask(sample, 'tools/list');
    expect(sample.heard.filter(({ method }) => /updated|list_changed/.test(method ?? ''))).toHaveLength(3);
  });

  it('an older client with a newer server, which asks through it', async () => {
    await using sample = openSample([newServer('young')]);
    expect((await sample.hello({ elicitation: {} })).result).toMatchObject({ protocolVersion: '2025-06-18' });
    const { result } = await sample.request('tools/list');
    expect(result).not.toHaveProperty('resultType');
    const call = sample.request('tools/call', { name: 'young__t' });
    const asked = await sample.until(({ method }) => method === 'elicitation/create');
    expect(asked.params?.message).toBe('[young] who?');
    sample.send({ id: asked.id, result: { action: 'accept', content: { n: 1 } } });
    expect((await call).result).toEqual(textResult('[{"who":{"action":"accept","content":{"n":1}}},"state"]'));
  });

  it('an older server that asks in the middle of a newer client’s call', async () => {
    const server = honestServer('old', {
      tools: ['t'],
      onCall: (_, side) => side.send({ id: 'e1', method: 'elicitation/create', params: { message: 'who?' } }),
      onOther: (message, side) => {
        if (message.id !== 'e1') return;
        const call = side.heard.findLast(({ method }) => method === 'tools/call');
        side.send({ id: call?.id, result: textResult(JSON.stringify(message.result ?? message.error)) });
      },
    });
    await using sample = openSample([server]);
    await ask(sample, 'server/discover');
    const first = await ask(sample, 'tools/call', { name: 'old__t' });
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { input: { method: 'elicitation/create', params: { message: '[old] who?' } } },
    });
    const { requestState } = asObject(first.result);
    expect((await ask(sample, 'tools/call', { name: 'old__t', requestState: 'forged' })).error?.code).toBe(-32602);
    const second = await ask(sample, 'tools/call', {
      name: 'old__t',
      requestState,
      inputResponses: { input: { action: 'accept' } },
    });
    expect(second.result).toEqual({ resultType: 'complete', ...textResult('{"action":"accept"}') });
    expect(server.side.heard.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  it('begins without a hello, and can fall back to the older one', async () => {
    await using sample = openSample([honestServer('old', { tools: ['t'] })]);
    expect((await ask(sample, 'tools/list')).result?.tools).toHaveLength(1);
    expect((await sample.hello()).result).toMatchObject({ protocolVersion: '2025-06-18' });
    expect((await sample.request('tools/list')).result).not.toHaveProperty('ttlMs');
  });
});

/** The official client over the streams of a sample. */
function connect(sample: Sample, mode: 'legacy' | 'auto') {
  const client = new Client(
    { name: 'official', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  let seen = 0;
  const transport: Parameters<Client['connect']>[0] = {
    start: async () => {
      const poll = setInterval(() => {
        for (; seen < sample.heard.length; seen += 1)
          transport.onmessage?.({ jsonrpc: '2.0', ...sample.heard[seen] } as never);
      }, 2);
      transport.onclose = () => clearInterval(poll);
    },
    send: async (message) => sample.send(message as unknown as JsonObject),
    close: async () => transport.onclose?.(),
  };
  return { client, connected: client.connect(transport) };
}

describe('the official client', () => {
  it.each(['legacy', 'auto'] as const)('in mode %s', async (mode) => {
    await using sample = openSample([
      newServer('young'),
      honestServer('old', { tools: ['t'], prompts: ['p'], resources: ['a:1'] }),
    ]);
    const { client, connected } = connect(sample, mode);
    await connected;
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { n: 'Ada' } }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['young__t', 'old__t']);
    expect(JSON.stringify(await client.callTool({ name: 'young__t', arguments: {} }))).toContain('Ada');
    expect((await client.callTool({ name: 'old__t', arguments: {} })).content).toEqual(textResult('old t').content);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['old__p']);
    const [resource] = (await client.listResources()).resources;
    expect((await client.readResource({ uri: resource?.uri ?? '' })).contents).toMatchObject([{ text: 'old has a:1' }]);
    await client.close();
  });
});
