import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../base/errors.ts';
import { Asking, good, key, knowledge } from './asking.ts';
import { createModel } from './create-model.ts';
import { chatWith, goodProposals, messageWith, type Reply, readTool, runTool, sendJson } from './stand-in.ts';

const asking = new Asking();
afterEach(() => asking.close());

describe('limits', () => {
  it('ends a request that is not answered', async () => {
    const { problems } = await asking.ask(() => undefined, { limits: { requestMs: 50 } });
    expect(problems[0]).toMatch(/did not answer in time/);
  });

  it('ends a body that comes drop by drop', async () => {
    const drip: Reply = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    };
    const { problems } = await asking.ask(drip, { limits: { requestMs: 100 } });
    expect(problems[0]).toMatch(/did not answer in time/);
  });

  it('ends with the signal of the caller', async () => {
    const controller = new AbortController();
    const { problems } = await asking.ask(() => controller.abort(), { signal: controller.signal });
    expect(problems[0]).toMatch(/did not answer in time/);
    const { standIn } = await asking.ask(good, { signal: controller.signal });
    expect(standIn.received).toEqual([]);
  });

  it('takes no body of a hundred megabytes', async () => {
    let isStopped = false;
    const flood: Reply = (response) => {
      const piece = Buffer.alloc(65_536, 0x20);
      let left = 1600;
      response.on('close', () => {
        isStopped = left > 0;
      });
      const pour = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(piece)) return void response.once('drain', pour);
        }
        response.end();
      };
      response.writeHead(200);
      pour();
    };
    const { problems } = await asking.ask(flood);
    expect(problems[0]).toMatch(/more than 1048576 bytes/);
    await expect.poll(() => isStopped).toBe(true);
  });

  it.each([
    [{ mostRequests: 2 }, 2, /the cap of 2 requests .*: 3 tools were left/],
    [{ mostTokens: 12_000 }, 1, /the cap of 12000 tokens .*: 4 tools were left/],
  ] as const)('stops at %j and says so', async (limits, requests, problem) => {
    const tools = Array.from({ length: 5 }, (_, at) => ({ ...readTool, name: `tool${at}` }));
    const { standIn, problems, model } = await asking.ask(good, {
      tools,
      limits: { toolsPerRequest: 1, answerTokens: 6000, ...limits },
    });
    expect(standIn.received).toHaveLength(requests);
    expect(problems.at(-1)).toMatch(problem);
    // The cap is that of the model, and not of one question.
    await model.propose(tools, new AbortController().signal);
    expect(standIn.received).toHaveLength(requests);
  });

  it('counts what the service reports, where it is more', async () => {
    const reply: Reply = (response) =>
      sendJson(response, { ...messageWith(goodProposals), usage: { input_tokens: 1e9 } });
    const { standIn, problems } = await asking.ask(reply, {
      tools: [readTool, runTool],
      limits: { toolsPerRequest: 1 },
    });
    expect(standIn.received).toHaveLength(1);
    expect(problems.at(-1)).toMatch(/the cap of 150000 tokens/);
  });

  it('counts a request that is made again', async () => {
    const { standIn, problems } = await asking.ask((response) => response.writeHead(500).end(), {
      limits: { mostRequests: 1 },
    });
    expect(standIn.received).toHaveLength(1);
    expect(problems[0]).toMatch(/the cap of 1 requests/);
  });
});

describe('options', () => {
  const base = { service: 'anthropic', key };
  it.each([
    ['an unknown service', { ...base, service: 'other' }],
    ['no key', { service: 'anthropic' }],
    ['a key with a line break', { ...base, key: `${key}\r\nx: y` }],
    ['no URL', { service: 'openai-compatible', model: 'm' }],
    ['no model', { service: 'openai-compatible', url: 'http://127.0.0.1:1' }],
    ['no web address', { ...base, url: 'ftp://127.0.0.1/' }],
    ['nonsense', { ...base, url: '::' }],
    ['a password in the URL', { ...base, url: `https://me:${key}@127.0.0.1/` }],
    ['a key in the URL', { ...base, url: `https://127.0.0.1/?key=${key}` }],
  ])('%s are refused without naming the key', (_, options) => {
    let told: unknown;
    try {
      createModel({ ...options, knowledge });
    } catch (error) {
      told = error;
    }
    expect(told).toBeInstanceOf(UsageError);
    expect(inspect(told, { depth: 5 })).not.toContain(key);
  });

  it('keeps the path of the URL', async () => {
    const standIn = await asking.listen((response) => sendJson(response, chatWith('{}')));
    const model = createModel({ service: 'openai-compatible', url: `${standIn.url}/api/v1/`, model: 'm', knowledge });
    await model.propose([readTool], new AbortController().signal);
    expect(standIn.received[0]?.path).toBe('/api/v1/chat/completions');
    expect(standIn.received[0]?.headers.authorization).toBeUndefined();
  });
});
