import { describe, expect, it } from 'vitest';
import { forTerminal } from '../../base/untrusted.ts';
import type { CallOutcome } from './contract.ts';
import type { DriveOptions } from './driven-conversation.ts';
import { answerOf, frameOf, line, openInMemory, type Server, text, until } from './in-memory-server.ts';

/** Servers of every bad kind, in memory: what comes out of each is a result, and the talk goes on. */

interface Case {
  readonly title: string;
  readonly says: (id: number, server: Server) => void;
  readonly outcome: CallOutcome;
  readonly shows?: string | RegExp;
  readonly isToolError?: boolean;
  readonly limits?: DriveOptions['limits'];
}

const cases: readonly Case[] = [
  { title: 'a plain answer', says: (id, s) => s.say(line(answerOf(id))), outcome: 'answered', shows: 'fine' },
  { title: 'CRLF', says: (id, s) => s.say(`${JSON.stringify(answerOf(id))}\r\n`), outcome: 'answered', shows: 'fine' },
  {
    title: 'a byte order mark',
    says: (id, s) => s.say(`\uFEFF${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'blank lines',
    says: (id, s) => s.say(`\n\r\n \n${line(answerOf(id))}\n`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'one byte at a time',
    says: (id, s) => {
      for (const byte of Buffer.from(line(answerOf(id, 'zażółć 🐝')))) s.say(Uint8Array.of(byte));
    },
    outcome: 'answered',
    shows: 'zażółć 🐝',
  },
  { title: 'no end of line', says: (id, s) => s.say(JSON.stringify(answerOf(id))), outcome: 'answered', shows: 'fine' },
  {
    title: 'no end of line, and the end',
    says: (id, s) => {
      s.say(JSON.stringify(answerOf(id)));
      s.end();
    },
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'half a message and the end',
    says: (_id, s) => {
      s.say('{"jsonrpc":"2.0","id":');
      s.end();
    },
    outcome: 'gone',
  },
  { title: 'the end', says: (_id, s) => s.end(), outcome: 'gone' },
  { title: 'nothing', says: () => undefined, outcome: 'timeout', shows: '' },
  { title: 'half a message', says: (_id, s) => s.say('{"jsonrpc":"2.0","id":'), outcome: 'timeout' },
  {
    title: 'a string for an id',
    says: (id, s) => s.say(line(answerOf(String(id)))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a fraction for an id',
    says: (id, s) => s.say(`{"jsonrpc":"2.0","id":${id}.0,"result":{"content":"x"}}\n`),
    outcome: 'answered',
    shows: 'x',
  },
  { title: 'another id', says: (id, s) => s.say(line(answerOf(id + 1000))), outcome: 'timeout' },
  { title: 'a list for an id', says: (id, s) => s.say(line(answerOf([id]))), outcome: 'timeout' },
  {
    title: 'the next id first',
    says: (id, s) => s.say(line(answerOf(id + 1, 'early')) + line(answerOf(id))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'the same answer twice',
    says: (id, s) => s.say(line(answerOf(id)) + line(answerOf(id, 'again'))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a batch',
    says: (id, s) => s.say(line([{ jsonrpc: '2.0', method: 'notifications/message' }, answerOf(id)])),
    outcome: 'answered',
    shows: 'fine',
  },
  { title: 'an empty batch', says: (_id, s) => s.say('[]\n'), outcome: 'timeout' },
  { title: 'a batch of batches', says: (id, s) => s.say(line([[answerOf(id)]])), outcome: 'timeout' },
  {
    title: 'two messages in a line',
    says: (id, s) => s.say(`${JSON.stringify({ jsonrpc: '2.0', method: 'x' })}${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a log prefix',
    says: (id, s) => s.say(`[INFO] {odd} out: ${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'log lines around',
    says: (id, s) => s.say(`starting…\n${line(answerOf(id))}done\n`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'JSON logs around',
    says: (id, s) => s.say(`${line({ level: 'info', method: 'GET', id })}${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'scalars',
    says: (id, s) => s.say(`1\n"x"\nnull\ntrue\n${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a nicely printed message',
    says: (id, s) => s.say(`${JSON.stringify(answerOf(id), null, 2)}\n`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a brace that nothing closes',
    says: (id, s) => s.say(`{\nlog\n${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'Content-Length framing',
    says: (id, s) => s.say(frameOf(answerOf(id))),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'Content-Length framing over two lines',
    says: (id, s) => {
      const body = JSON.stringify(answerOf(id), null, 1);
      s.say(`content-length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`);
    },
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a length that is a log line',
    says: (id, s) => s.say(`Content-Length: 20\n${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a length and no body',
    says: (id, s) => s.say(`Content-Length: 20\n\nhello\n${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a length beyond all measure',
    says: (id, s) => s.say(`Content-Length: 9999999999\n\n${line(answerOf(id))}`),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'invalid UTF-8',
    says: (id, s) => {
      s.say(Uint8Array.of(0xff, 0xfe, 10));
      s.say(line(answerOf(id)));
    },
    outcome: 'answered',
    shows: 'fine',
  },
  { title: 'NUL bytes', says: (id, s) => s.say(`\0\0\0\n${line(answerOf(id))}`), outcome: 'answered', shows: 'fine' },
  {
    title: 'an error',
    says: (id, s) => s.say(line({ jsonrpc: '2.0', id, error: { code: -1, message: 'no', data: { path: '/etc' } } })),
    outcome: 'rpc-error',
    shows: 'no\n{"path":"/etc"}',
  },
  {
    title: 'an error that is text',
    says: (id, s) => s.say(line({ jsonrpc: '2.0', id, error: 'no' })),
    outcome: 'rpc-error',
    shows: 'no',
  },
  {
    title: 'an error for nobody',
    says: (_id, s) => s.say(line({ jsonrpc: '2.0', id: null, error: { message: 'parse error' } })),
    outcome: 'rpc-error',
    shows: 'parse error',
  },
  { title: 'a result for nobody', says: (_id, s) => s.say(line({ jsonrpc: '2.0', result: {} })), outcome: 'timeout' },
  {
    title: 'an error beside a result',
    says: (id, s) => s.say(line({ ...answerOf(id), error: { message: 'both' } })),
    outcome: 'rpc-error',
    shows: 'both',
  },
  {
    title: 'an error of null beside a result',
    says: (id, s) => s.say(line({ ...answerOf(id), error: null })),
    outcome: 'answered',
    shows: 'fine',
  },
  { title: 'neither result nor error', says: (id, s) => s.say(line({ jsonrpc: '2.0', id })), outcome: 'invalid' },
  { title: 'a result of null', says: (id, s) => s.say(line({ jsonrpc: '2.0', id, result: null })), outcome: 'invalid' },
  {
    title: 'a result that is text',
    says: (id, s) => s.say(line({ jsonrpc: '2.0', id, result: 'words' })),
    outcome: 'invalid',
    shows: 'words',
  },
  {
    title: 'no version of JSON-RPC',
    says: (id, s) => s.say(line({ id, result: text('fine') })),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a method in the answer',
    says: (id, s) => s.say(line({ ...answerOf(id), method: 'tools/call' })),
    outcome: 'answered',
    shows: 'fine',
  },
  {
    title: 'a failure of the tool',
    says: (id, s) => s.answer(id, { ...text('not found'), isError: true }),
    outcome: 'answered',
    shows: 'not found',
    isToolError: true,
  },
  {
    title: 'structured content',
    says: (id, s) => s.answer(id, { content: [], structuredContent: { sum: 3 } }),
    outcome: 'answered',
    shows: '{"sum":3}',
  },
  {
    title: 'an embedded resource',
    says: (id, s) => s.answer(id, { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } }] }),
    outcome: 'answered',
    shows: 'inside\nfile:///a',
  },
  {
    title: 'bytes',
    says: (id, s) =>
      s.answer(id, { content: [{ type: 'image', data: Buffer.from('hidden words').toString('base64') }] }),
    outcome: 'answered',
    shows: 'hidden words',
  },
  {
    title: 'the first version\u2019s result',
    says: (id, s) => s.answer(id, { toolResult: { a: 1 } }),
    outcome: 'answered',
    shows: '{"a":1}',
  },
  {
    title: 'content of odd things',
    says: (id, s) => s.answer(id, { content: [null, 7, 'x', { type: 4 }, [1]] }),
    outcome: 'answered',
    shows: /x/,
  },
  {
    title: 'content that is no list',
    says: (id, s) => s.answer(id, { content: { type: 'text', text: 'alone' } }),
    outcome: 'answered',
    shows: 'alone',
  },
  {
    title: 'a key called __proto__',
    says: (id, s) => s.say(`{"jsonrpc":"2.0","id":${id},"result":{"__proto__":{"isError":true},"content":"p"}}\n`),
    outcome: 'answered',
    shows: 'p',
    isToolError: false,
  },
  {
    title: 'a depth of a million',
    says: (id, s) => s.say(`{"jsonrpc":"2.0","id":${id},"result":{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}}\n`),
    outcome: 'answered',
  },
  {
    title: 'a message over the cap',
    says: (id, s) => s.say(line(answerOf(id, 'x'.repeat(5000)))),
    outcome: 'invalid',
    limits: { frameBytes: 1000 },
    shows: /bytes more/,
  },
  {
    title: 'a framed message over the cap',
    says: (id, s) => s.say(frameOf(answerOf(id, 'x'.repeat(5000)))),
    outcome: 'invalid',
    limits: { frameBytes: 1000 },
  },
  {
    title: 'a message over the cap without an end',
    says: (_id, s) => s.say('x'.repeat(5000)),
    outcome: 'invalid',
    limits: { frameBytes: 1000 },
  },
  {
    title: 'more messages than a turn may bring',
    says: (_id, s) => s.say('y\n'.repeat(5000)),
    outcome: 'invalid',
    limits: { turnFrames: 1000 },
  },
  {
    title: 'more than a turn may bring',
    says: (_id, s) => {
      for (let n = 0; n < 100; n += 1) s.say('noise\n'.repeat(1000));
    },
    outcome: 'invalid',
    limits: { turnBytes: 100_000 },
  },
];

describe('a call answered with', () => {
  it.each(cases)('$title', async ({ says, outcome, shows, isToolError = false, limits = {} }) => {
    const { conversation } = openInMemory(
      until((request, server) => says(request.id ?? 0, server)),
      { limits },
    );
    await conversation.handshake();
    const result = await conversation.call('tool', { a: 1 });
    expect(result.outcome).toBe(outcome);
    expect(result.isToolError).toBe(isToolError);
    const seen = forTerminal(result.text, { keepLines: true });
    if (shows !== undefined) expect(seen).toEqual(typeof shows === 'string' ? shows : expect.stringMatching(shows));
    await conversation.close();
  });

  it('anything at all, is followed by a next call', async () => {
    for (const { title, says, limits } of cases) {
      if (title.endsWith('the end') || limits !== undefined) continue;
      let calls = 0;
      const { conversation } = openInMemory(
        until((request, server) => {
          calls += 1;
          if (calls === 1) says(request.id ?? 0, server);
          else server.say(`\n${line(answerOf(request.id, 'second'))}`);
        }),
        { timeoutMs: 100 },
      );
      await conversation.handshake();
      await conversation.call('tool', {});
      const second = await conversation.call('tool', {});
      expect([title, second.outcome, forTerminal(second.text)]).toEqual([title, 'answered', 'second']);
      await conversation.close();
    }
  });
});
