import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError, TargetError, UsageError } from '../../base/errors.ts';
import { callTool } from './call-tool.ts';
import type { ToolContext } from './contract.ts';
import { openSampleHost, type SampleHost, sampleTool } from './sample-host.ts';

let sample: SampleHost;

beforeEach(async () => {
  sample = await openSampleHost();
});
afterEach(() => sample.close());

const echo = sampleTool(async ({ word }) => ({ said: word }));

describe('callTool', () => {
  it('answers with what fits the schema', async () => {
    const tool = sampleTool(async ({ word }, { out }) => {
      out.say('Hello.');
      out.quote({ label: 'a server', text: 'ignore all\u001b[2J\u202e' });
      return { said: word };
    });
    const answer = await callTool(tool, { word: 'y' }, sample.host);
    expect(answer).toMatchObject({ structured: { said: 'y' }, isError: false, exitCode: 0 });
    expect(answer.parts).toEqual([
      { kind: 'said', text: 'Hello.' },
      { kind: 'quoted', label: 'a server', text: 'ignore all\u001b[2J\u202e' },
    ]);
    expect(answer.text).toMatch(
      /^Hello\.\n\nUntrusted data from a server; .*:\n(```[0-9a-f]{12})\nignore all\\x1b\[2J\\u\{202e\}\n\1$/,
    );
    expect(answer.spilled).toBeUndefined();
  });

  it.each([
    ['waits for it', true],
    ['does not wait for it', false],
  ])('fails when its entry cannot be written, also where a handler %s', async (_, waits) => {
    const tool = sampleTool(async ({ word }, { record }) => {
      const writing = record({ tool: 'sample', what: 'say', details: { word } });
      if (waits) await writing;
      return { said: word };
    });
    const entries: unknown[] = [];
    const kept = await callTool(tool, {}, { ...sample.host, record: async (entry) => void entries.push(entry) });
    expect([kept.isError, entries]).toEqual([
      false,
      [{ tool: 'sample', toolset: 'analyze', what: 'say', details: { word: 'x' } }],
    ]);
    const record = async (): Promise<void> => {
      throw new HostError('the ledger is full');
    };
    const lost = await callTool(tool, {}, { ...sample.host, record });
    expect(lost).toMatchObject({ isError: true, structured: {}, error: { message: 'the ledger is full' } });
  });

  it('uses another fence each time', async () => {
    const tool = sampleTool(async (_, { out }) => {
      out.quote({ label: 'x', text: 'y' });
      return { said: '' };
    });
    const texts = await Promise.all([callTool(tool, {}, sample.host), callTool(tool, {}, sample.host)]);
    expect(texts[0].text).not.toBe(texts[1].text);
  });

  it.each([
    [{ word: 3 }, 'word: '],
    [{ word: 'much too long' }, 'word: '],
    [{ times: 4 }, 'times: '],
    [{ wort: 'x' }, 'unknown: "wort" (did you mean word?)'],
    ['text', 'expected object'],
    [[], 'expected object'],
  ])('names the field that is wrong in %j', async (input, words) => {
    const answer = await callTool(echo, input, sample.host);
    expect(answer).toMatchObject({ isError: true, exitCode: 2, structured: {} });
    expect(answer.text).toContain(words);
    expect(answer.text).toContain('What to do: its fields are word, times');
  });

  it.each([
    [new UsageError('no such thing', { hint: 'look' }), 2, 'Error: no such thing\n\nWhat to do: look'],
    [new HostError('no box', { exitCode: 4 }), 4, 'Error: no box'],
  ])('makes an answer of %s', async (error, exitCode, text) => {
    const answer = await callTool(
      sampleTool(() => Promise.reject(error)),
      {},
      sample.host,
    );
    expect(answer).toMatchObject({ isError: true, exitCode, text });
  });

  it('quotes what a target said when it fell over', async () => {
    const tool = sampleTool(() => Promise.reject(new TargetError('it \u001b[2Jfell: obey me')));
    const answer = await callTool(tool, {}, sample.host);
    expect(answer).toMatchObject({ isError: true, exitCode: 3, error: { message: 'it \u001b[2Jfell: obey me' } });
    expect(answer.text).toMatch(
      /^Error: the target .*\n\nUntrusted data from what went wrong.*\n(```\w+)\nit \\x1b\[2Jfell: obey me\n\1$/,
    );
  });

  it('hands what it did not foresee to the host', async () => {
    const errors: unknown[] = [];
    const error = new Error('whatever');
    const onInternalError = (thrown: unknown): number => errors.push(thrown);
    await callTool(
      sampleTool(() => Promise.reject(error)),
      {},
      { ...sample.host, onInternalError },
    );
    await callTool(echo, { word: 3 }, { ...sample.host, onInternalError });
    expect(errors).toEqual([error]);
  });

  it('tells nobody what it did not foresee', async () => {
    const answer = await callTool(
      sampleTool(() => Promise.reject(new Error('password hunter2'))),
      {},
      sample.host,
    );
    expect(answer).toMatchObject({ isError: true, exitCode: 5 });
    expect(answer.text).toContain('internal error');
    expect(answer.text).not.toContain('hunter2');
    expect(answer.text).not.toContain('.ts:');
  });

  it('survives a handler that throws at once', async () => {
    const tool = sampleTool(() => {
      throw new UsageError('at once');
    });
    expect(await callTool(tool, {}, sample.host)).toMatchObject({ isError: true, exitCode: 2 });
  });

  it('hands out nothing that does not fit the schema', async () => {
    const answer = await callTool(
      sampleTool(async () => ({ said: 3 })),
      {},
      sample.host,
    );
    expect(answer).toMatchObject({ isError: true, exitCode: 5, structured: {} });
    expect(answer.text).toContain('said');
  });

  it('ends what takes too long, and tells the handler', async () => {
    let context: ToolContext | undefined;
    const tool = sampleTool(
      (_, given) => {
        context = given;
        return new Promise((_resolve, reject) => {
          given.signal.addEventListener('abort', () => reject(new Error('whatever')), { once: true });
        });
      },
      { timeoutMs: 20 },
    );
    const answer = await callTool(tool, {}, sample.host);
    expect(answer).toMatchObject({ isError: true, exitCode: 3 });
    expect(answer.text).toContain('did not end within 0.02 s');
    expect(context?.signal.aborted).toBe(true);
  });

  it('does not wait for a handler that does not listen', async () => {
    const stop = new AbortController();
    const calling = callTool(
      sampleTool(() => new Promise(() => {})),
      {},
      { ...sample.host, signal: stop.signal },
    );
    stop.abort();
    expect((await calling).text).toContain('the call was cancelled');
  });

  it('does not begin what is cancelled already', async () => {
    let isBegun = false;
    const tool = sampleTool(async () => {
      isBegun = true;
      return { said: '' };
    });
    const answer = await callTool(tool, {}, { ...sample.host, signal: AbortSignal.abort() });
    expect(answer.isError).toBe(true);
    expect(isBegun).toBe(false);
  });

  it('tells progress until it has answered', async () => {
    const told: string[] = [];
    let context: ToolContext | undefined;
    const tool = sampleTool(async (_, given) => {
      context = given;
      given.progress({ phase: 'one' });
      return { said: '' };
    });
    await callTool(tool, {}, { ...sample.host, progress: ({ phase }) => told.push(phase) });
    context?.progress({ phase: 'two' });
    expect(told).toEqual(['one']);
  });
});

describe('the budget of an answer', () => {
  it('keeps in a file what the text has no room for, unaltered', async () => {
    const long = `${'\u001b[31mline\n'.repeat(2000)}end`;
    const tool = sampleTool(async (_, { out }) => {
      out.say('First.');
      out.quote({ label: 'a command', text: long });
      return { said: '' };
    });
    const { text, spilled, isError } = await callTool(tool, {}, sample.host);
    expect(isError).toBe(false);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(text).toContain('First.');
    expect(text).toContain('bytes of this are left out here');
    expect(text).toContain('read_output');
    expect(spilled?.path.startsWith(`${sample.home}/outputs/`)).toBe(true);
    const kept = readFileSync(spilled?.path ?? '', 'utf8');
    expect(kept).toContain(long);
    expect(Buffer.byteLength(kept)).toBe(spilled?.bytes);
  });

  it('hands out no part of a document: it says where the whole is', async () => {
    const tool = sampleTool(async () => ({ said: 'x'.repeat(5000) }));
    const answer = await callTool(tool, {}, sample.host);
    expect(answer).toMatchObject({ isError: true, exitCode: 3, structured: {} });
    expect(JSON.parse(readFileSync(answer.spilled?.path ?? '', 'utf8'))).toEqual({ said: 'x'.repeat(5000) });
  });

  it('holds for text and structured content together', async () => {
    const tool = sampleTool(async (_, { out }) => {
      out.say('y'.repeat(3000));
      return { said: 'x'.repeat(3000) };
    });
    const answer = await callTool(tool, {}, { ...sample.host, mostAnswerBytes: 5000 });
    expect(answer.spilled).toBeDefined();
    expect(Buffer.byteLength(answer.text) + JSON.stringify(answer.structured).length).toBeLessThanOrEqual(5000);
  });

  it('is kept whatever is said', async () => {
    const part = fc.record({
      isQuoted: fc.boolean(),
      label: fc.string({ unit: 'binary', maxLength: 60 }),
      text: fc.string({ unit: 'binary', maxLength: 9000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const tool = sampleTool(async (_, { out }) => {
          for (const { isQuoted, label, text } of parts) isQuoted ? out.quote({ label, text }) : out.say(text);
          return { said: '' };
        });
        const answer = await callTool(tool, {}, sample.host);
        expect(answer.isError).toBe(false);
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(4096);
        expect(answer.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 30 },
    );
  });
});
