import { describe, expect, it } from 'vitest';
import { asObject } from '../../../base/json-shape.ts';
import type { Message } from './sample-servers.ts';
import { honestServer, openSample, sampleServer, textResult } from './sample-servers.ts';

const names = (message: Message, key: string, field: string): unknown[] =>
  ((message.result?.[key] ?? []) as Record<string, unknown>[]).map((entry) => entry[field]);

describe('one gateway for several servers', () => {
  it('greets, lists and calls as one server', async () => {
    const one = honestServer('my files', {
      tools: ['read', '_x'],
      prompts: ['p'],
      resources: ['file:///a'],
      instructions: 'be quick',
    });
    const two = honestServer('git', { tools: ['read'], resources: ['file:///a'] });
    await using sample = openSample([one, two]);
    const { result } = await sample.hello();
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'hotcell' },
      capabilities: {
        tools: { listChanged: true },
        prompts: {},
        resources: { subscribe: true },
        logging: {},
        completions: {},
      },
    });
    expect(result?.instructions).toContain('From server "my files", about its own tools (my_files__…) only:\nbe quick');
    expect(names(await sample.request('tools/list'), 'tools', 'name')).toEqual([
      'my_files__read',
      'my_files___x',
      'git__read',
    ]);
    expect(names(await sample.request('prompts/list'), 'prompts', 'name')).toEqual(['my_files__p']);
    expect(names(await sample.request('resources/list'), 'resources', 'uri')).toEqual([
      'hotcell:my_files/file:///a',
      'hotcell:git/file:///a',
    ]);
    expect(names(await sample.request('resources/templates/list'), 'resourceTemplates', 'uriTemplate')).toEqual([
      'hotcell:my_files/file:///{path}',
      'hotcell:git/file:///{path}',
    ]);
    const call = async (name: string) => (await sample.request('tools/call', { name, arguments: {} })).result;
    expect(await call('my_files___x')).toEqual(textResult('my files _x'));
    expect(await call('git__read')).toEqual(textResult('git read'));
    expect((await sample.request('prompts/get', { name: 'my_files__p' })).result).toMatchObject({
      messages: [{ content: { text: 'my files p' } }],
    });
    expect((await sample.request('resources/read', { uri: 'hotcell:git/file:///b' })).result).toEqual({
      contents: [{ uri: 'hotcell:git/file:///b', text: 'git has file:///b' }],
    });
    expect(
      (await sample.request('completion/complete', { ref: { type: 'ref/prompt', name: 'git__p' }, argument: {} }))
        .result,
    ).toEqual({
      completion: { values: ['{"type":"ref/prompt","name":"p"}'] },
    });
    expect((await sample.request('logging/setLevel', { level: 'info' })).result).toEqual({});
    for (const { side } of [one, two]) expect(side.heard.map(({ method }) => method)).toContain('logging/setLevel');
    expect((await sample.request('tools/call', { name: 'nobody__x' })).error?.code).toBe(-32602);
    expect((await sample.request('resources/read', { uri: 'file:///etc/passwd' })).error?.code).toBe(-32602);
    expect((await sample.request('constructor')).error?.code).toBe(-32601);
  });

  it('labels addresses in answers', async () => {
    const content = [
      { type: 'resource_link', uri: 'a:b', name: 'n' },
      { type: 'resource', resource: { uri: 'a:c', text: 't' } },
    ];
    const server = honestServer('s', {
      tools: ['t'],
      onCall: ({ id }, side) => side.send({ id, result: { content } }),
    });
    await using sample = openSample([server]);
    await sample.hello();
    expect((await sample.request('tools/call', { name: 's__t' })).result?.content).toMatchObject([
      { uri: 'hotcell:s/a:b' },
      { resource: { uri: 'hotcell:s/a:c' } },
    ]);
  });

  it('brings progress and cancellation to whom they belong', async () => {
    const server = honestServer('slow', {
      tools: ['t'],
      onCall: ({ params }, side) => {
        const token = asObject(params?._meta).progressToken;
        side.send({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } });
        side.send({ method: 'notifications/progress', params: { progressToken: 'mine', progress: 9 } });
      },
    });
    const other = honestServer('other', {
      tools: ['t'],
      onCall: (_, side) => side.send({ method: 'notifications/progress', params: { progressToken: 1, progress: 7 } }),
    });
    await using sample = openSample([server, other]);
    await sample.hello();
    sample.send({ id: 'a', method: 'tools/call', params: { name: 'slow__t', _meta: { progressToken: 'mine' } } });
    sample.send({ id: 'b', method: 'tools/call', params: { name: 'other__t' } });
    const progress = await sample.until(({ method }) => method === 'notifications/progress');
    expect(progress.params).toEqual({ progressToken: 'mine', progress: 1 });
    sample.send({ method: 'notifications/cancelled', params: { requestId: 'a', reason: 'enough' } });
    await sample.request('tools/list');
    const asked = server.side.heard.find(({ method }) => method === 'tools/call');
    expect(server.side.heard.find(({ method }) => method === 'notifications/cancelled')?.params?.requestId).toBe(
      asked?.id,
    );
    expect(sample.heard.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
    expect(sample.heard.some(({ id }) => id === 'a')).toBe(false);
  });

  it('brings what servers ask to the client, and answers back, whatever ids they use', async () => {
    const asking = (name: string, method: string, params: object) =>
      honestServer(name, {
        tools: ['t'],
        onCall: (_, side) => side.send({ id: 1, method, params }),
        onOther: (message, side) => {
          if (message.id !== 1 || message.method !== undefined) return;
          const call = side.heard.findLast(({ method: one }) => one === 'tools/call');
          side.send({ id: call?.id, result: textResult(JSON.stringify(message.result ?? message.error)) });
        },
      });
    const servers = [
      asking('a', 'elicitation/create', { message: 'who?' }),
      asking('b', 'roots/list', {}),
      asking('c', 'sampling/createMessage', {}),
    ];
    await using sample = openSample(servers);
    await sample.hello({ elicitation: {}, roots: {} });
    const [first, second, third] = ['a__t', 'b__t', 'c__t'].map((name) => sample.request('tools/call', { name }));
    const elicit = await sample.until(({ method }) => method === 'elicitation/create');
    const roots = await sample.until(({ method }) => method === 'roots/list');
    expect(elicit.params?.message).toBe('[a] who?');
    expect(elicit.id).not.toBe(roots.id);
    sample.send({ id: roots.id, result: { roots: [] } });
    sample.send({ id: elicit.id, result: { action: 'decline' } });
    expect((await first)?.result).toEqual(textResult('{"action":"decline"}'));
    expect((await second)?.result).toEqual(textResult('{"roots":[]}'));
    expect(JSON.stringify((await third)?.result)).toContain('the client cannot do this');
  });

  it('passes on changes of lists and of resources that somebody wants to hear of', async () => {
    const server = honestServer('s', { tools: ['t'], resources: ['a:1'] });
    await using sample = openSample([server]);
    await sample.hello();
    await sample.request('tools/list');
    sample.heard.length = 0;
    server.side.send({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
    await sample.request('resources/subscribe', { uri: 'hotcell:s/a:1' });
    server.side.send({ method: 'notifications/resources/updated', params: { uri: 'a:1' } });
    server.side.send({ method: 'notifications/tools/list_changed' });
    server.side.send({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
    await sample.until(({ method }) => method === 'notifications/tools/list_changed');
    expect(
      sample.heard.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params),
    ).toEqual([{ uri: 'hotcell:s/a:1' }]);
    expect(sample.heard.find(({ method }) => method === 'notifications/message')?.params).toEqual({
      level: 'info',
      data: 'x',
      logger: 's',
    });
    sample.send({ method: 'notifications/roots/list_changed' });
    await sample.request('resources/unsubscribe', { uri: 'hotcell:s/a:1' });
    expect(server.side.heard.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['notifications/roots/list_changed', 'resources/unsubscribe']),
    );
  });

  it('goes on without a server that does not start, hangs or ends', async () => {
    const fine = honestServer('fine', { tools: ['t'] });
    const ending = honestServer('ending', { tools: ['t'], onCall: (_, side) => side.end() });
    const broken = { name: 'broken', open: () => Promise.reject(new Error('no such \u001b program')) };
    const silent = sampleServer('silent', () => {});
    const mute = honestServer('mute', { tools: ['t'], onOther: () => {}, onCall: () => {} });
    await using sample = openSample([fine, ending, broken, silent, mute], {
      limits: { startMs: 150, handshakeMs: 300, listMs: 150, requestMs: 200 },
    });
    const hello = await sample.hello();
    expect(hello.result?.instructions).toContain('Server "broken" is not there: it did not start');
    const list = await sample.request('tools/list');
    expect(names(list, 'tools', 'name')).toEqual(['fine__t', 'ending__t', 'mute__t']);
    expect(asObject(list.result?._meta)['hotcell/missing']).toMatchObject([{ server: 'broken' }]);
    const mutely = sample.request('tools/call', { name: 'mute__t' });
    sample.heard.length = 0;
    const gone = await sample.request('tools/call', { name: 'ending__t' });
    expect(gone.error?.message).toMatch(/^server "ending": /);
    await sample.until(({ method }) => method === 'notifications/tools/list_changed');
    expect(names(await sample.request('tools/list'), 'tools', 'name')).toEqual(['fine__t', 'mute__t']);
    expect((await sample.request('tools/call', { name: 'ending__t' })).error?.message).toMatch(
      /"ending" is gone: .*the other servers go on/,
    );
    expect((await sample.request('tools/call', { name: 'fine__t' })).result).toEqual(textResult('fine t'));
    expect((await mutely).error?.message).toContain('server "mute": it did not answer in time');
    expect((await sample.request('tools/call', { name: 'silent__t' })).error?.message).toMatch(
      /still starting|is gone/,
    );
    expect(sample.lines.join('\n')).not.toContain('\u001b');
    expect(sample.entries.map(({ action, server }) => [action, server])).toEqual(
      expect.arrayContaining([
        ['gateway.open', undefined],
        ['gateway.lose', 'broken'],
        ['gateway.lose', 'ending'],
      ]),
    );
  });

  it('announces a server that comes late', async () => {
    const late = honestServer('late', { tools: ['t'] });
    const wait = Promise.withResolvers<void>();
    const open: typeof late.open = async (client, signal) => {
      await wait.promise;
      return late.open(client, signal);
    };
    await using sample = openSample([{ name: 'late', open }], { limits: { startMs: 50 } });
    expect((await sample.hello()).result?.capabilities).toMatchObject({ tools: { listChanged: true } });
    expect(names(await sample.request('tools/list'), 'tools', 'name')).toEqual([]);
    wait.resolve();
    await sample.until(({ method }) => method === 'notifications/tools/list_changed');
    expect(names(await sample.request('tools/list'), 'tools', 'name')).toEqual(['late__t']);
  });

  it('answers what was asked before the client closed its side, then ends everything', async () => {
    const server = honestServer('s', {
      tools: ['t'],
      onCall: ({ id }, side) => void setTimeout(() => side.send({ id, result: textResult('late') }), 30),
    });
    const sample = openSample([server]);
    await sample.hello();
    const answer = sample.request('tools/call', { name: 's__t' });
    sample.input.end();
    expect((await answer).result).toEqual(textResult('late'));
    await sample.gateway.ended;
    expect(sample.gateway.status()).toMatchObject([{ name: 's', label: 's', state: { is: 'lost' } }]);
    expect(sample.entries.at(-1)?.action).toBe('gateway.close');
  });

  it('does nothing without the ledger', async () => {
    const server = honestServer('s', { tools: ['t'] });
    const ledger = { append: () => Promise.reject(new Error('disk full')), hashSecret: () => '' };
    const sample = openSample([server], { recorder: { session: 'x', ledger } });
    await expect(sample.gateway.ended).rejects.toThrow('disk full');
    expect(server.side.heard).toEqual([]);
  });

  it('lets a client ask before its hello is answered', async () => {
    await using sample = openSample([honestServer('s', { tools: ['t'] })]);
    const hello = sample.hello();
    expect((await sample.request('tools/call', { name: 's__t' })).result).toEqual(textResult('s t'));
    expect((await hello).result).toBeDefined();
    expect(sample.heard[0]?.result).toHaveProperty('serverInfo');
  });

  it('waits for a hello, and refuses what it cannot do', async () => {
    await using sample = openSample([honestServer('s', {})]);
    expect((await sample.request('tools/list')).error?.code).toBe(-32600);
    expect((await sample.request('ping')).result).toEqual({});
    sample.input.write('no json\n{"jsonrpc":"2.0","id":5}\n[]\n\n');
    expect((await sample.hello()).result).toBeDefined();
    expect(() => openSample([])).toThrow('1 to 64 servers');
  });
});
