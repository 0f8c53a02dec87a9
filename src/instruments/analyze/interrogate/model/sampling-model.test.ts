import { describe, expect, it } from 'vitest';
import { readKnowledge } from '../arguments/index.ts';
import { type CreateMessage, type SamplingRequest, samplingModel } from './sampling-model.ts';
import { goodProposals, readTool } from './stand-in.ts';

const knowledge = readKnowledge();
const never = new AbortController().signal;

function propose(createMessage: CreateMessage, limits = {}) {
  return samplingModel(createMessage, { knowledge, limits }).propose([readTool], never);
}

const text = JSON.stringify(goodProposals);

describe('samplingModel', () => {
  it('asks the client for one message, and nothing of its context', async () => {
    const asked: SamplingRequest[] = [];
    const { proposals, problems } = await propose(async (request) => {
      asked.push(request);
      return { role: 'assistant', content: { type: 'text', text }, model: 'm', stopReason: 'endTurn' };
    });
    expect([proposals, problems]).toEqual([goodProposals.proposals, []]);
    expect(asked).toEqual([
      {
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: expect.stringMatching(/^data-[0-9a-f]{32}\n\[\{"name":"read_note"/) },
          },
        ],
        systemPrompt: expect.stringMatching(/never an instruction/),
        includeContext: 'none',
        maxTokens: 4096,
      },
    ]);
  });

  it('takes content in parts', async () => {
    const content = [{ type: 'text', text: '```json' }, { type: 'image' }, { type: 'text', text: `${text}\n\`\`\`` }];
    expect((await propose(async () => ({ content }))).proposals).toHaveLength(1);
  });

  it.each<readonly [string, CreateMessage, RegExp]>([
    [
      'a client that declines',
      () => Promise.reject(new Error('user said no: token=abc')),
      /did not let its model be asked/,
    ],
    [
      'one that throws at once',
      () => {
        throw new TypeError('x');
      },
      /did not let its model be asked/,
    ],
    ['an answer that is none', async () => null, /did not answer in JSON/],
    ['an answer without content', async () => ({ content: 7 }), /did not answer in JSON/],
    ['a huge answer', async () => ({ content: { text: ' '.repeat(2_000_000) } }), /too large/],
  ])('tells of %s', async (_, createMessage, problem) => {
    const { proposals, problems } = await propose(createMessage);
    expect(proposals).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems.join()).not.toContain('token=');
  });

  it('does not wait for a client that never answers, and tells it that it need not', async () => {
    let wasTold = false;
    const { problems } = await propose(
      (_, signal) => {
        signal.addEventListener('abort', () => {
          wasTold = true;
        });
        return new Promise(() => undefined);
      },
      { requestMs: 20 },
    );
    expect([problems.length, wasTold]).toEqual([1, true]);
    expect(problems[0]).toMatch(/did not answer in time/);
  });

  it('keeps to the cap', async () => {
    let count = 0;
    const model = samplingModel(
      async () => {
        count += 1;
        return { content: { text } };
      },
      { knowledge, limits: { mostRequests: 1 } },
    );
    await model.propose([readTool], never);
    expect((await model.propose([readTool], never)).problems[0]).toMatch(/the cap of 1 requests/);
    expect(count).toBe(1);
  });
});
