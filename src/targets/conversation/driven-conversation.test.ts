import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { forTerminal } from '../../base/untrusted.ts';
import { answerOf, line, openInMemory, text, until, welcome } from './in-memory-server.ts';
import { openStdioConversation } from './stdio.ts';

/** What a conversation keeps to, whatever the server is. */

describe('since 2026', () => {
  it('every request says who asks, and a result may ask for more', async () => {
    const { conversation, heard, notices } = openInMemory(
      ({ id, method, params = {} }, server) => {
        if (method === 'server/discover') {
          server.answer(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
        } else if (method === 'tools/call' && params.inputResponses === undefined) {
          server.answer(id, {
            resultType: 'input_required',
            inputRequests: {
              who: {
                method: 'elicitation/create',
                params: { requestedSchema: { properties: { name: { type: 'string' } } } },
              },
            },
            requestState: 'opaque',
          });
        } else server.answer(id, { resultType: 'complete', ...text(JSON.stringify(params.inputResponses)) });
      },
      { protocolVersion: '2026-07-28' },
    );
    await conversation.handshake();
    const result = await conversation.call('greet', {});
    expect(forTerminal(result.text)).toBe('{"who":{"action":"accept","content":{"name":"Alex"}}}');
    expect(heard.at(-1)?.params).toMatchObject({
      requestState: 'opaque',
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'claude-desktop' },
      },
    });
    expect(notices).toMatchObject([{ kind: 'request' }]);
    await conversation.close();
  });

  it('a server that always asks for more is not asked for ever', async () => {
    const { conversation, heard } = openInMemory(
      ({ id, method }, server) =>
        server.answer(
          id,
          method === 'server/discover'
            ? { supportedVersions: ['2026-07-28'], capabilities: {} }
            : { resultType: 'input_required', requestState: 'again' },
        ),
      { protocolVersion: '2026-07-28', limits: { inputRounds: 3 } },
    );
    await conversation.handshake();
    expect((await conversation.call('greet', {})).outcome).toBe('answered');
    expect(heard.filter(({ method }) => method === 'tools/call')).toHaveLength(4);
    await conversation.close();
  });
});

describe('a conversation', () => {
  it('asks one thing after the other', async () => {
    const open_ = new Set<number>();
    let most = 0;
    const { conversation } = openInMemory((request, server) => {
      if (request.id === undefined) return;
      const { id } = request;
      open_.add(id);
      most = Math.max(most, open_.size);
      setTimeout(() => {
        open_.delete(id);
        server.answer(id, request.method === 'initialize' ? welcome : text(String(request.params?.name)));
      }, 5);
    });
    void conversation.handshake();
    const results = await Promise.all(['a', 'b', 'c'].map((tool) => conversation.call(tool, {})));
    expect(results.map((result) => forTerminal(result.text))).toEqual(['a', 'b', 'c']);
    expect(most).toBe(1);
    await conversation.close();
  });

  it('tells the server when it stops waiting, and ignores the late answer', async () => {
    let first: number | undefined;
    const { conversation, heard } = openInMemory(
      until((request, server) => {
        if (first === undefined) first = request.id;
        else server.say(line(answerOf(first, 'late')) + line(answerOf(request.id, 'in time')));
      }),
      { timeoutMs: 80 },
    );
    await conversation.handshake();
    expect((await conversation.call('slow', {})).outcome).toBe('timeout');
    expect(forTerminal((await conversation.call('fast', {})).text)).toBe('in time');
    expect(heard.find(({ method }) => method === 'notifications/cancelled')?.params).toMatchObject({
      requestId: first,
    });
    await conversation.close();
  });

  it('gets prompts and resources', async () => {
    const { conversation } = openInMemory(({ id, method }, server) => {
      if (method === 'initialize') server.answer(id, welcome);
      if (method === 'prompts/get')
        server.answer(id, {
          description: 'd',
          messages: [
            { role: 'user', content: { type: 'text', text: 'p' } },
            { role: 'user', content: [{ type: 'text', text: 'q' }] },
          ],
        });
      if (method === 'resources/read')
        server.answer(id, {
          contents: [
            { uri: 'a:b', text: 'r' },
            { uri: 'a:c', blob: Buffer.from('s').toString('base64') },
          ],
        });
    });
    await conversation.handshake();
    expect(forTerminal((await conversation.getPrompt('p', {})).text, { keepLines: true })).toBe('d\np\nq');
    expect(forTerminal((await conversation.readResource('a:b')).text, { keepLines: true })).toBe('r\na:b\na:c\ns');
    await conversation.close();
  });

  it('is over when the process is gone, though others hold its output open', async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const conversation = openStdioConversation(
      { stdin, stdout, exited: Promise.resolve() },
      { identity: { name: 'c', version: '1' }, timeoutMs: 20_000 },
    );
    await expect(conversation.handshake()).rejects.toThrow(/ended its output/);
    await conversation.close();
  });

  it('survives a server that closes its input', async () => {
    const { conversation, stdin } = openInMemory(until(() => undefined));
    await conversation.handshake();
    stdin.destroy(new Error('EPIPE'));
    expect((await conversation.call('tool', {})).outcome).toBe('gone');
    await conversation.close();
  });
});
