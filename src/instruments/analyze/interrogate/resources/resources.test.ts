import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallResult, ListedResource, Listing } from '../../../../targets/conversation/contract.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import { answer, type Bench, event, open, readBench } from '../trials/sample-observed.ts';
import { type Observe, resourceRules, resourceTrials, runResourceTrials } from './index.ts';

const listing = (resources: readonly ListedResource[], prompts: Listing['prompts'] = []) => ({ resources, prompts });
const fixed = (uri: string): ListedResource => ({ uri, isTemplate: false });
const template = (uri: string): ListedResource => ({ uri, isTemplate: true });
const notes = fixed('file:///planted/root/notes.txt');
const error = (text: string): CallResult => answer(text, { outcome: 'rpc-error', raw: { message: text } });
const contents = (text: string): CallResult => answer(text, { raw: { contents: [{ uri: 'x', text }] } });

let bench: Bench;
beforeAll(() => {
  bench = readBench();
});
const trialsOf = (offered: Pick<Listing, 'resources' | 'prompts'>, more: object = {}) =>
  resourceTrials(offered, sampleWorld, { seed: 'seed', ...bench, ...more });

/** A server in memory: what it answers to an address, and what that did. */
type Reply = (asked: string) => { readonly result: CallResult; readonly events?: Parameters<typeof event>[] };

async function run(offered: Pick<Listing, 'resources' | 'prompts'>, reply: Reply, more: object = {}) {
  const asked: string[] = [];
  let inFlight = 0;
  const take = async (text: string): Promise<CallResult> => {
    asked.push(text);
    inFlight += 1;
    expect(inFlight).toBe(1);
    await Promise.resolve();
    inFlight -= 1;
    return reply(text).result;
  };
  const observe: Observe = async (calls) => {
    const seen = [];
    for (const call of calls) {
      const result = await call();
      const events = (reply(asked.at(-1) ?? '').events ?? []).map((each) => event(...each));
      seen.push({ result, events, newFiles: [] });
    }
    return seen;
  };
  const conversation = {
    readResource: (uri: string) => take(uri),
    getPrompt: (name: string, input: Readonly<Record<string, string>>) => take(`${name} ${JSON.stringify(input)}`),
  };
  const deadlineMs = performance.now() + 30_000;
  const session = await runResourceTrials(conversation, trialsOf(offered, more), observe, { deadlineMs });
  return {
    ...session,
    asked,
    told: session.verdicts.map((each) => `${each.class} ${each.evidenceClass} ${each.isByDesign}`),
  };
}

const outside = `private ledger ${sampleWorld.outsideCanary}`;
const isOutside = (uri: string): boolean => decodeURIComponent(uri).includes('elsewhere/report.txt');

describe('trials of resources', () => {
  it('are none where nothing is offered', () => {
    expect(trialsOf(listing([]))).toEqual({ honest: [], trials: [], notTried: [] });
  });

  it('have an id each, are the same for the same seed, and keep their tokens to themselves', () => {
    const offered = listing(
      [notes, template('notes://{id}')],
      [{ name: 'review', arguments: [{ name: 'path', required: true }] }],
    );
    const { trials } = trialsOf(offered);
    expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length);
    expect(trialsOf(offered)).toEqual(trialsOf(offered));
    const secrets = ['outsideCanary', 'outsideEntry'] as const;
    for (const { request } of trials)
      for (const secret of secrets) expect(JSON.stringify(request)).not.toContain(sampleWorld[secret]);
    expect(new Set(trials.map(({ tool }) => tool))).toEqual(
      new Set(['resources/read', 'resources/read notes://{id}', 'prompts/get review']),
    );
  });

  it('prove an escape by the token of the planted file', async () => {
    const { told, verdicts, tried } = await run(listing([notes]), (uri) =>
      isOutside(uri) ? { result: contents(outside) } : { result: error('no such resource') },
    );
    expect(told).toEqual(['resource-escape A false', 'resource-escape A false', 'resource-escape A false']);
    expect(verdicts[0]).toMatchObject({ tool: 'resources/read', pointer: '/uri', payload: 'file' });
    // The class is done with its first group.
    expect(tried).toBeLessThan(trialsOf(listing([notes])).trials.length);
  });

  it('prove an attempt by the file that was opened', async () => {
    const opened = open(4, sampleWorld.outsideFile);
    const { told } = await run(listing([notes]), (uri) =>
      uri === `file://${sampleWorld.outsideFile}`
        ? { result: error('not text'), events: [[opened.seq, 'open', opened.fields]] }
        : { result: error('no') },
    );
    expect(told).toEqual(['resource-escape B false']);
  });

  it.each([
    ['an echo', (uri: string) => error(`no such resource: ${uri} at ${sampleWorld.outsideFile}`)],
    ['the same for everything', () => contents('hello')],
    ['an answer that holds its token honestly', () => contents(outside)],
    ['silence', () => answer('', { outcome: 'timeout', raw: null })],
  ])('say nothing of %s', async (_, reply) => {
    const { told, findings } = await run(listing([notes]), (uri) => ({ result: reply(uri) }));
    expect(told).toEqual([]);
    expect(findings).toEqual([]);
  });

  it('say by design where every file is offered, and an escape where the server was given a root', async () => {
    const reply: Reply = (uri) => ({ result: isOutside(uri) ? contents(outside) : error('no') });
    const offered = listing([template('file:///{+path}')]);
    const free = await run(offered, reply);
    expect(free.told.length).toBeGreaterThan(0);
    expect(free.told.filter((line) => line.startsWith('resource-escape') && line.endsWith('false'))).toEqual([]);
    const confined = await run(offered, reply, { isConfined: true });
    expect(confined.told).toContain('resource-escape A false');
  });

  it('climb out of a template through its variable', async () => {
    const reply: Reply = (uri) => {
      const name = /^notes:\/\/(.+)$/s.exec(uri)?.[1] ?? '';
      const isOut = decodeURIComponent(name).startsWith('../') && isOutside(name);
      return { result: isOut ? contents(outside) : error('no') };
    };
    const { told } = await run(listing([template('notes://{name}')]), reply);
    expect(told).toContain('path-traversal A false');
  });

  it('go to the network', async () => {
    const { told } = await run(listing([notes]), (uri) =>
      uri.startsWith('http://127.0.0.1:18070')
        ? { result: contents(`hello ${sampleWorld.loopback?.canary}`) }
        : { result: error('no') },
    );
    expect(told).toEqual(['ssrf A false']);
  });

  it('try the arguments of prompts', async () => {
    const prompts = [{ name: 'summary', arguments: [{ name: 'file_path', required: true }] }];
    const { told, asked } = await run(listing([], prompts), (text) => ({
      result: isOutside(text) ? answer(outside) : answer('Summarise.'),
    }));
    expect(asked[0]).toMatch(/^summary \{"file_path":"\/planted\/root/);
    expect(told.some((line) => line.startsWith('path-traversal A'))).toBe(true);
  });

  it('hint at neighbours, unless everything is answered', async () => {
    const offered = listing([fixed('note://17')]);
    const some = await run(offered, (uri) => ({ result: /^note:\/\/1[78]$/.test(uri) ? contents(uri) : error('no') }));
    expect(some.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
      `${resourceRules.neighbour.id} info`,
    ]);
    const all = await run(offered, () => ({ result: contents('x') }));
    expect(all.findings).toEqual([]);
  });

  it('end when the server goes away, and list what was left', async () => {
    const { tried, notTried, goneDuring } = await run(listing([notes]), (uri) => ({
      result: uri === notes.uri ? contents('milk') : answer('', { outcome: 'gone', raw: null }),
    }));
    expect(tried).toBe(4);
    expect(goneDuring).toBe('resource-escape/file resources/read/uri');
    expect(notTried.length).toBeGreaterThan(0);
  });

  it('are made of any listing', () => {
    const entry = fc.record({ uri: fc.string({ unit: 'binary' }), isTemplate: fc.boolean() });
    const prompt = fc.record({
      name: fc.string(),
      arguments: fc.array(fc.record({ name: fc.string(), required: fc.boolean() }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), fc.array(prompt, { maxLength: 4 }), (resources, prompts) => {
        expect(trialsOf(listing(resources, prompts)).trials.length).toBeLessThanOrEqual(80);
      }),
      { numRuns: 30 },
    );
  });
});
