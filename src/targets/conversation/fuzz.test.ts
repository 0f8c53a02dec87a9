import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TargetError } from '../../base/errors.ts';
import { textOfError, textOfResult } from './answer-text.ts';
import { boundValue, jsonText } from './bound-value.ts';
import { findObjects } from './find-objects.ts';
import { openHttpConversation } from './http.ts';
import type { RequestFunction } from './http-request.ts';
import { defaultLimits } from './limits.ts';
import { listAll } from './listing.ts';
import { readMessage } from './message.ts';
import { parseFrame } from './parse-frame.ts';
import { plausibleForm } from './plausible-value.ts';
import { openStdioConversation } from './stdio.ts';

/** Whatever a server sends, there is a result and no exception. */

const outcomes = ['answered', 'rpc-error', 'timeout', 'gone', 'invalid'];

/** Bytes that look a little like the protocol, so that more than the first check is met. */
const id = fc.constantFrom(0, 1, 2, 3, 4, '1', '2', null, 1e300, -1, {}, []);
const shape = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', 2),
    id,
    method: fc.constantFrom('ping', 'elicitation/create', 'x', 7),
    params: fc.jsonValue(),
    result: fc.oneof(
      fc.jsonValue(),
      fc.constant({ protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} } }),
    ),
    error: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.oneof(shape, fc.array(shape, { maxLength: 3 })).map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
  fc
    .constantFrom(
      '\n',
      '\r\n',
      '{',
      '}',
      '[',
      '\uFEFF',
      'Content-Length: 3\r\n\r\n',
      '{"jsonrpc":"2.0","id":2,"result":',
    )
    .map((text) => Buffer.from(text)),
);

describe('a server that says anything', () => {
  it('never makes the conversation throw or hang', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(piece, { maxLength: 4 }), { maxLength: 5 }),
        fc.boolean(),
        async (turns, ends) => {
          const stdin = new PassThrough();
          const stdout = new PassThrough();
          const left = [...turns];
          stdin.on('data', () => {
            for (const bytes of left.shift() ?? []) if (!stdout.writableEnded) stdout.write(bytes);
            if (left.length === 0 && ends) stdout.end();
          });
          stdin.on('end', () => stdout.end());
          const conversation = openStdioConversation(
            { stdin, stdout },
            {
              identity: { name: 'c', version: '1' },
              timeoutMs: 5,
              limits: { settleMs: 1, closeMs: 5, frameBytes: 500, turnBytes: 2000, notices: 5 },
            },
          );
          const handshake = await conversation.handshake().catch((error: unknown) => error);
          if (handshake instanceof Error) expect(handshake).toBeInstanceOf(TargetError);
          const listing = await conversation.list();
          expect(listing.problems.length).toBeLessThanOrEqual(201);
          const result = await conversation.call('tool', {});
          expect(outcomes).toContain(result.outcome);
          await conversation.close();
          expect((await conversation.call('tool', {})).outcome).toBe('gone');
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a server that answers anything over HTTP', () => {
  const kind = fc.constantFrom(
    'application/json',
    'text/event-stream',
    'text/html',
    '',
    'TEXT/EVENT-STREAM; charset=x',
  );
  const answer = fc.record({
    status: fc.constantFrom(200, 202, 204, 302, 400, 401, 404, 405, 500, 0, 999),
    kind,
    chunks: fc.array(
      fc.oneof(
        piece,
        piece.map((bytes) => Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')])),
      ),
      { maxLength: 4 },
    ),
    ends: fc.constantFrom('well', 'never', 'broken', 'refused'),
  });

  it('never makes the conversation throw or hang', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
        let asked = 0;
        const request: RequestFunction = async ({ signal }) => {
          const {
            status,
            kind: type,
            chunks,
            ends,
          } = answers[asked % answers.length] ?? { status: 0, kind: '', chunks: [], ends: 'well' };
          asked += 1;
          if (ends === 'refused') throw new Error('ECONNREFUSED');
          async function* body() {
            yield* chunks;
            if (ends === 'broken') throw new Error('ECONNRESET');
            if (ends === 'never')
              await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
          }
          return {
            status,
            headers: { 'content-type': type, 'mcp-session-id': 'a\nb', location: '\u001b' },
            body: body(),
          };
        };
        const url = new URL('http://127.0.0.1:1/mcp');
        const conversation = openHttpConversation(
          { url, request },
          {
            identity: { name: 'c', version: '1' },
            timeoutMs: 5,
            limits: { closeMs: 5, frameBytes: 500, turnBytes: 2000, notices: 5, endpointMs: 5 },
          },
        );
        const handshake = await conversation.handshake().catch((error: unknown) => error);
        if (handshake instanceof Error) expect(handshake).toBeInstanceOf(TargetError);
        expect((await conversation.list()).problems.length).toBeLessThanOrEqual(201);
        expect(outcomes).toContain((await conversation.call('tool', {})).outcome);
        await conversation.close();
        expect((await conversation.call('tool', {})).outcome).toBe('gone');
      }),
      { numRuns: 60 },
    );
  });
});

describe('any JSON', () => {
  it('is listed, shown, bounded and answered without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (value, other) => {
        readMessage(value);
        textOfResult(value, 100);
        textOfError(value, 100);
        plausibleForm({ properties: value });
        plausibleForm({ properties: { a: value, b: { type: other, enum: value } } });
        expect(boundValue(value)).toEqual(value);
        const entries = { tools: [value, { name: 'a', inputSchema: value, annotations: other, description: other }] };
        await listAll(
          async () => ({
            kind: 'result',
            result: { ...entries, prompts: [{ name: 'p', arguments: value }], nextCursor: other },
          }),
          {
            protocolVersion: '',
            serverName: '',
            serverVersion: '',
            capabilities: { tools: {}, prompts: {}, resources: {} },
            problems: [],
          },
          { ...defaultLimits, pages: 3 },
        );
      }),
    );
  });

  it('is kept within bounds', () => {
    const value = {
      long: 'x'.repeat(5000),
      deep: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
      wide: Array(5000).fill(1),
    };
    const kept = JSON.stringify(boundValue(value, { depth: 10, values: 100, characters: 1000 }));
    expect(kept.length).toBeLessThan(1500);
    expect(kept).toContain('[cut]');
    expect(Object.keys(boundValue(JSON.parse('{"__proto__":{"a":1}}')) as object)).toEqual(['__proto__']);
    expect(jsonText(JSON.parse(`${'['.repeat(1e5)}${']'.repeat(1e5)}`))).toContain('[cut]');
  });
});

describe('any line', () => {
  it('is told from its messages, and found again however it is padded', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 4 }),
        (noise, objects) => {
          parseFrame(Buffer.from(noise), 10);
          const text = objects.map((object) => JSON.stringify(object)).join(' ');
          expect(findObjects(text, 10).objects).toEqual(JSON.parse(JSON.stringify(objects)));
          expect(findObjects(`log: ${text} end`, 10).around[0]).toBe('log:');
        },
      ),
    );
  });

  it('of braces only is given up in time that grows with its length', () => {
    const found = findObjects('{'.repeat(1_000_000), 10);
    expect(found.objects).toEqual([]);
    expect(findObjects(`${'{"a'.repeat(200_000)}`, 10).objects).toEqual([]);
  });
});
