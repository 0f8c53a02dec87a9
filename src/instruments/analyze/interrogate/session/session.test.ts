import { describe, expect, it } from 'vitest';
import type { Phase } from '../../../../base/event-schema.ts';
import type { ListedTool, Listing } from '../../../../targets/conversation/contract.ts';
import { readKnowledge } from '../arguments/index.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import { answer } from '../trials/sample-observed.ts';
import type { SessionOptions } from './contract.ts';
import { EventWindow } from './event-window.ts';
import { type Answering, SampleConversation } from './sample-conversation.ts';
import { Session } from './session.ts';

const knowledge = readKnowledge();
const forever = Number.POSITIVE_INFINITY;

function toolNamed(name: string): ListedTool {
  const properties = { text: { type: 'string' }, limit: { type: 'integer' } };
  return { name, inputSchema: { type: 'object', properties, required: ['text'] } };
}

function listingOf(...names: readonly string[]): Listing {
  return { tools: names.map(toolNamed), prompts: [], resources: [], problems: [], raw: [] };
}

function openSession(answering: Answering, more: Partial<SessionOptions> = {}) {
  const conversation = new SampleConversation(answering);
  const phases: Phase[] = [];
  const cell = {
    enter: (phase: Phase) => {
      phases.push(phase);
      return Promise.resolve();
    },
  };
  const session = new Session(conversation, cell, new EventWindow(), {
    budget: 'quick',
    seed: 'seed',
    knowledge,
    mostHonest: 2,
    useUntilMs: forever,
    attackUntilMs: forever,
    signal: new AbortController().signal,
    reopen: () => Promise.resolve(null),
    ...more,
  });
  return { session, conversation, phases };
}

const names = ({ asked }: SampleConversation) => asked.map(({ tool }) => tool);

describe('honest use', () => {
  it('asks every tool in turn, in its own phase, and says so', async () => {
    const told: unknown[] = [];
    let first = 0;
    const { session, conversation, phases } = openSession(() => 'done', {
      onTool: (...tool) => void told.push(tool),
      onFirstCall: () => {
        first += 1;
        expect(conversation.asked).toHaveLength(1);
        return Promise.resolve();
      },
    });
    const used = await session.use(listingOf('a', 'b'), sampleWorld);
    expect(phases).toEqual(['use']);
    expect([...new Set(names(conversation))]).toEqual(['a', 'b']);
    expect(used.map(({ tool, honest }) => [tool.name, honest.length])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    expect(told).toEqual([
      ['a', 1, 2],
      ['b', 2, 2],
    ]);
    expect(first).toBe(1);
    expect(session.calls).toBe(4);
  });

  it('leaves a tool that does not answer after one call, and goes on with the next', async () => {
    const { session, conversation } = openSession(({ tool }) =>
      tool === 'a' ? answer('', { outcome: 'timeout' }) : 'done',
    );
    await session.use(listingOf('a', 'b'), sampleWorld);
    expect(names(conversation)).toEqual(['a', 'b', 'b']);
    expect(session.crashes).toEqual([]);
  });

  it.each<readonly [string, Partial<SessionOptions>]>([
    ['was ended', { signal: AbortSignal.abort() }],
    ['is over its time', { useUntilMs: 0 }],
  ])('makes no call where the run %s', async (_, more) => {
    const { session, conversation } = openSession(() => 'done', more);
    const used = await session.use(listingOf('a', 'b'), sampleWorld);
    expect(conversation.asked).toEqual([]);
    expect(used.map(({ honest }) => honest)).toEqual([[], []]);
  });

  it('tells of each crash, and goes on with the next server', async () => {
    const second = new SampleConversation();
    const { session } = openSession((_, number) => (number === 2 ? answer('', { outcome: 'gone' }) : 'done'), {
      reopen: () => Promise.resolve(second),
    });
    await session.use(listingOf('a', 'b'), sampleWorld);
    expect(session.crashes).toEqual([{ tool: 'a', during: 'honest', callNumber: 2 }]);
    expect(names(second)).toEqual(['b', 'b']);
    expect(session.conversation).toBe(second);
  });

  it('ends where nobody comes back', async () => {
    const { session, conversation } = openSession(() => answer('', { outcome: 'gone' }));
    await session.use(listingOf('a', 'b'), sampleWorld);
    expect(names(conversation)).toEqual(['a']);
    expect(session.crashes).toHaveLength(1);
  });
});

describe('repetition', () => {
  const slow = answer('done', { durationMs: 400 });

  it('calls the quick tools until there were enough calls', async () => {
    const { session, conversation } = openSession(({ tool }) => (tool === 'slow' ? slow : 'done'));
    const used = await session.use(listingOf('slow', 'quick'), sampleWorld);
    await session.repeat(used, 10);
    expect(session.calls).toBe(10);
    expect(names(conversation).slice(4)).toEqual(Array.from({ length: 6 }, () => 'quick'));
  });

  it.each<readonly [string, Answering]>([
    ['is slow', () => slow],
    ['fails', () => answer('', { outcome: 'rpc-error' })],
  ])('makes none where every tool %s', async (_, answering) => {
    const { session } = openSession(answering);
    const used = await session.use(listingOf('a'), sampleWorld);
    await session.repeat(used, 10);
    expect(session.calls).toBe(2);
  });

  it('ends with the server, and tells of the crash', async () => {
    const { session } = openSession((_, number) => (number === 5 ? answer('', { outcome: 'gone' }) : 'done'));
    const used = await session.use(listingOf('a'), sampleWorld);
    await session.repeat(used, 10);
    expect(session.calls).toBe(5);
    expect(session.crashes).toEqual([{ tool: 'a', during: 'honest', callNumber: 5 }]);
  });
});

describe('a whole session', () => {
  it('uses, then attacks, and puts crashes of both together', async () => {
    let attacked = 0;
    const isTrial = (input: unknown) => JSON.stringify(input).includes('touch');
    const { session, phases } = openSession(
      ({ input }) => {
        if (!isTrial(input)) return 'done';
        attacked += 1;
        return answer('', { outcome: 'gone' });
      },
      { limits: { perPosition: 6, total: 6 } },
    );
    const { tools, crashes, made, notTried } = await session.run(listingOf('a'), sampleWorld);
    expect(phases).toEqual(['use', 'attack']);
    expect(tools).toHaveLength(1);
    expect(attacked).toBe(1);
    expect(crashes).toMatchObject([{ tool: 'a', during: 'trial', trial: made.at(-1)?.trial.id }]);
    // Whatever was planned after the crash is told.
    expect(made.length + notTried.filter(({ reason }) => reason === 'over-budget').length).toBeGreaterThan(6);
  });
});
