import { describe, expect, it } from 'vitest';
import { forTerminal } from '../../base/untrusted.ts';
import type { DriveOptions } from './driven-conversation.ts';
import { answerOf, line, openInMemory, text, until } from './in-memory-server.ts';

/** What a server says without being asked: too much, too long, or a request of its own. */

describe('200 MB in one answer', () => {
  it('are counted, not kept', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const { conversation, stdout } = openInMemory(
      until((request, server) => {
        server.say(`{"jsonrpc":"2.0","id":${request.id},"result":"`);
        let left = 200;
        const more = (): void => {
          while (left > 0) {
            left -= 1;
            if (!stdout.write(chunk) && left > 0) {
              stdout.once('drain', more);
              return;
            }
          }
          server.say('"}\n');
        };
        more();
      }),
      { timeoutMs: 30_000 },
    );
    await conversation.handshake();
    const before = process.memoryUsage().arrayBuffers;
    const result = await conversation.call('tool', {});
    expect(result.outcome).toBe('invalid');
    expect(result.text.droppedBytes).toBeGreaterThan(199 * 1024 * 1024);
    expect(result.text.bytes.length).toBeLessThanOrEqual(64 * 1024);
    expect(conversation.counts.cutFrames).toBe(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    await conversation.close();
  });
});

describe('a flood', () => {
  it('is held up, and read on when the server is asked again', async () => {
    let calls = 0;
    const { conversation, stdout, notices } = openInMemory(
      until((request, server) => {
        calls += 1;
        if (calls === 1) for (let n = 0; n < 200; n += 1) server.say('log line\n'.repeat(100));
        server.answer(request.id, text(`call ${calls}`));
      }),
      { limits: { turnBytes: 100_000, notices: 10 } },
    );
    await conversation.handshake();
    expect((await conversation.call('tool', {})).outcome).toBe('invalid');
    expect(stdout.isPaused()).toBe(true);
    expect(forTerminal((await conversation.call('tool', {})).text)).toBe('call 2');
    expect(notices).toHaveLength(10);
    expect(conversation.counts).toMatchObject({ floods: 1 });
    expect(conversation.counts.unreported).toBeGreaterThan(19_000);
    await conversation.close();
  });
});

describe('requests of the server', () => {
  const form = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 18 },
      sure: { type: 'boolean' },
      colour: { type: 'string', enum: ['red', 'blue'] },
      size: { oneOf: [{ const: 'S', title: 'small' }] },
      tags: { type: 'array', items: { enum: ['a'] } },
      kept: { type: 'string', default: 'as is' },
    },
  };
  const table: readonly {
    method: string;
    params?: unknown;
    side?: DriveOptions['side'];
    result?: unknown;
    error?: unknown;
  }[] = [
    { method: 'ping', result: {} },
    { method: 'roots/list', result: { roots: [{ uri: 'file:///work', name: 'work' }] } },
    { method: 'roots/list', side: { roots: [] }, result: { roots: [] } },
    {
      method: 'sampling/createMessage',
      result: expect.objectContaining({ role: 'assistant', content: expect.objectContaining({ type: 'text' }) }),
    },
    {
      method: 'elicitation/create',
      params: { message: '?', requestedSchema: form },
      result: {
        action: 'accept',
        content: {
          name: 'Alex',
          mail: 'alex@example.com',
          age: 18,
          sure: true,
          colour: 'red',
          size: 'S',
          tags: ['a'],
          kept: 'as is',
        },
      },
    },
    {
      method: 'elicitation/create',
      params: { mode: 'url', url: 'https://evil.example' },
      result: { action: 'decline' },
    },
    { method: 'elicitation/create', side: { elicitation: 'decline' }, result: { action: 'decline' } },
    { method: 'elicitation/create', params: 'nonsense', result: { action: 'accept', content: {} } },
    { method: 'constructor', error: { code: -32601, message: 'Method not found' } },
    { method: 'shell/run', error: { code: -32601, message: 'Method not found' } },
  ];

  it.each(table)('$method', async ({ method, params, side = {}, result, error }) => {
    const { conversation, heard, notices } = openInMemory(
      until((request, server) => {
        server.say(line({ jsonrpc: '2.0', id: 'from-server', method, params }));
        server.answer(request.id, text('fine'));
      }),
      { side },
    );
    await conversation.handshake();
    expect((await conversation.call('tool', {})).outcome).toBe('answered');
    await conversation.close();
    expect(heard.find(({ id }) => String(id) === 'from-server')).toEqual({
      jsonrpc: '2.0',
      id: 'from-server',
      ...(error === undefined ? { result } : { error }),
    });
    expect(notices).toContainEqual({ kind: 'request', content: expect.objectContaining({ method }) });
  });

  it('stay unanswered when there are too many', async () => {
    const { conversation, heard } = openInMemory(
      until((request, server) => {
        for (let n = 0; n < 50; n += 1) server.say(line({ jsonrpc: '2.0', id: `s${n}`, method: 'ping' }));
        server.answer(request.id, text('fine'));
      }),
      { limits: { repliesToServer: 5 } },
    );
    await conversation.handshake();
    await conversation.call('tool', {});
    expect(conversation.counts).toMatchObject({ requests: 50, unanswered: 45 });
    await conversation.close();
    expect(heard.filter(({ id }) => String(id).startsWith('s'))).toHaveLength(5);
  });
});

describe('what nobody asked for', () => {
  it('is told by kind, cut, and never taken for an answer', async () => {
    const { conversation, notices, passed } = openInMemory(
      until((request, server) => {
        server.say(line({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }));
        server.say(line({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
        server.say(`${'long '.repeat(5000)}\n`);
        server.say(line(answerOf(4711)));
        server.answer(request.id, text('fine'));
      }),
    );
    await conversation.handshake();
    await conversation.call('tool', {});
    expect(notices.map(({ kind }) => kind)).toEqual(['notification', 'notification', 'noise', 'noise']);
    expect(String(notices[2]?.content)).toHaveLength(4096);
    expect(passed['to-target'].split('\n').filter((each) => each.includes('tools/call'))).toHaveLength(1);
    expect(passed['from-target']).toContain('4711');
    await conversation.close();
  });
});
