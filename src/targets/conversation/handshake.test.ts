import { describe, expect, it } from 'vitest';
import { TargetError } from '../../base/errors.ts';
import { forTerminal } from '../../base/untrusted.ts';
import { answerOf, frameOf, type Handler, line, openInMemory, text, welcome } from './in-memory-server.ts';

/** Servers that speak one version only, in one way only, or not at all. */

describe('a handshake', () => {
  const answering =
    (versions: readonly string[], seen: string[] = []): Handler =>
    ({ id, method, params = {} }, server) => {
      if (id === undefined) return;
      const version = String(params.protocolVersion ?? 'discover');
      seen.push(version);
      if (method === 'server/discover' && versions.includes('2026-07-28')) {
        server.answer(id, {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '9' } },
        });
      } else if (method === 'initialize' && versions.includes(version)) {
        server.answer(id, { ...welcome, protocolVersion: version });
      } else server.say(line({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Unsupported protocol version' } }));
    };

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', '2026-07-28'])(
    'finds a server that speaks %s only',
    async (version) => {
      const { conversation, heard } = openInMemory(answering([version]));
      expect(await conversation.handshake()).toMatchObject({ protocolVersion: version });
      await conversation.close();
      expect(heard.some(({ method }) => method === 'notifications/initialized')).toBe(version !== '2026-07-28');
    },
  );

  it('takes the late answer of a server that starts slowly', async () => {
    const { conversation, stdin, stdout } = openInMemory(() => undefined, { timeoutMs: 200 });
    stdin.removeAllListeners('data');
    let heard = '';
    stdin.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      // By now it was asked in another way: this one had the first question in its pipe all the time.
      if (heard.includes('Content-Length') && !heard.includes('notifications'))
        stdout.write(line({ ...answerOf(1), result: welcome }));
    });
    expect((await conversation.handshake()).protocolVersion).toBe('2025-11-25');
    expect(heard.trimEnd().split('\n').at(-1)).toBe('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await conversation.close();
  });

  it('tries what the server says it supports first', async () => {
    const seen: string[] = [];
    const { conversation } = openInMemory(({ id, params = {} }, server) => {
      if (id === undefined) return;
      seen.push(String(params.protocolVersion));
      if (params.protocolVersion === '2024-11-05') server.answer(id, { ...welcome, protocolVersion: '2024-11-05' });
      else
        server.say(
          line({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no', data: { supported: ['2024-11-05'] } } }),
        );
    });
    expect((await conversation.handshake()).protocolVersion).toBe('2024-11-05');
    expect(seen).toEqual(['2025-11-25', '2024-11-05']);
    await conversation.close();
  });

  it('offers the version that was asked for first', async () => {
    const seen: string[] = [];
    const { conversation } = openInMemory(answering(['2025-03-26'], seen), { protocolVersion: '2025-03-26' });
    await conversation.handshake();
    expect(seen).toEqual(['2025-03-26']);
    await conversation.close();
  });

  it('speaks in frames to a server that waits for them', async () => {
    const { conversation, heard } = openInMemory(
      ({ id, method, params = {} }, server) => {
        if (id === undefined) return;
        const isOld = params.protocolVersion === '2024-11-05' || method === 'tools/call';
        const result = method === 'initialize' ? { ...welcome, protocolVersion: '2024-11-05' } : text('framed');
        server.say(frameOf({ jsonrpc: '2.0', id, ...(isOld ? { result } : { error: { message: 'too new' } }) }));
      },
      { timeoutMs: 300 },
      'content-length',
    );
    expect((await conversation.handshake()).serverName).toBe('test server');
    expect(forTerminal((await conversation.call('tool', {})).text)).toBe('framed');
    await conversation.close();
    expect(heard.slice(-3).map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
  });

  const broken: readonly { title: string; result: unknown; problem: RegExp }[] = [
    { title: 'an unknown version', result: { ...welcome, protocolVersion: '1.0' }, problem: /not known/ },
    { title: 'no version', result: { capabilities: {} }, problem: /without a protocol version/ },
    { title: 'no capabilities', result: { protocolVersion: '2025-06-18' }, problem: /no capabilities/ },
    { title: 'no name', result: { ...welcome, serverInfo: 7 }, problem: /no name/ },
    { title: 'endless instructions', result: { ...welcome, instructions: 'x'.repeat(100_000) }, problem: /cut/ },
  ];
  it.each(broken)('with $title is a problem, not a failure', async ({ result, problem }) => {
    const { conversation } = openInMemory(({ id }, server) => server.answer(id, result));
    expect((await conversation.handshake()).problems.join()).toMatch(problem);
    await conversation.close();
  });

  const failing: readonly { title: string; handler: Handler; message: RegExp }[] = [
    { title: 'silence', handler: () => undefined, message: /no answer in time/ },
    { title: 'the end', handler: (_request, server) => server.end(), message: /ended its output/ },
    { title: 'nonsense', handler: ({ id }, server) => server.answer(id, 'x'), message: /an answer that is none/ },
    {
      title: 'errors',
      handler: ({ id }, server) => server.say(line({ id, error: { message: 'go \u001b[31m away' } })),
      message: /go \\x1b\[31m away/,
    },
  ];
  it.each(failing)('that meets $title fails as the target’s fault', async ({ handler, message }) => {
    const { conversation } = openInMemory(handler, { timeoutMs: 120 });
    const failure = await conversation.handshake().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TargetError);
    expect(String(failure)).toMatch(message);
    await conversation.close();
  });
});
