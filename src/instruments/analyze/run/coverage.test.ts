import { describe, expect, it } from 'vitest';
import { sampleListing, sampleTool } from '../../../targets/listings/sample-listing.ts';
import { readKnowledge } from '../interrogate/arguments/index.ts';
import type { NotTried } from '../interrogate/trials/index.ts';
import { answer } from '../interrogate/trials/sample-observed.ts';
import { coverageOf, notTriedOf } from './coverage.ts';
import { honestCall, madeTrial, sampleTrials } from './sample-calls.ts';
import { sampleDetonated } from './sample-detonated.ts';

const knowledge = readKnowledge();
const silent = { ...sampleTool, name: 'silent' };
const [first, second] = sampleTrials;
if (first === undefined || second === undefined) throw new Error('the sample tool has trials');

describe('coverage', () => {
  it('counts tools that answered, and parameters that were tried, each once', () => {
    const detonated = sampleDetonated({
      listing: sampleListing([sampleTool, silent]),
      tools: [
        { tool: sampleTool, honest: [honestCall(), honestCall()] },
        { tool: silent, honest: [honestCall(silent, answer('', { outcome: 'timeout' }))] },
      ],
      made: [madeTrial(first), madeTrial(second)],
      missing: ['something'],
    });
    expect(coverageOf(detonated, knowledge)).toEqual({
      tools: { exercised: 1, all: 2 },
      parameters: { tried: 1, all: 2 },
      phases: detonated.phases,
      missing: ['something'],
    });
  });

  it('is nothing where nothing was listed, whatever was tried', () => {
    const { tools, parameters } = coverageOf(sampleDetonated({ listing: null, made: [madeTrial(first)] }), knowledge);
    expect([tools, parameters]).toEqual([
      { exercised: 0, all: 0 },
      { tried: 0, all: 0 },
    ]);
  });

  it('names traffic that was not unpacked, and is cut', () => {
    const { completeness } = sampleDetonated();
    const unread = sampleDetonated({ completeness: { ...completeness, search: { untriedGuesses: 3 } } });
    expect(coverageOf(unread, knowledge).missing).toEqual([expect.stringMatching(/^3 pieces of traffic/)]);
    const many = sampleDetonated({ missing: Array.from({ length: 100 }, (_, at) => String(at)) });
    expect(coverageOf(many, knowledge).missing).toHaveLength(40);
  });
});

describe('what was not tried', () => {
  it('is counted by class and reason', () => {
    const left = (kind: string, reason: NotTried['reason']): NotTried => ({
      class: kind,
      reason,
      payload: 'p',
      tool: 't',
      pointer: '/x',
    });
    const notTried = [
      left('ssrf', 'over-budget'),
      left('ssrf', 'nothing-in-this-box-shows-it'),
      left('ssrf', 'over-budget'),
      left('xxe', 'over-budget'),
    ];
    expect(notTriedOf(sampleDetonated({ notTried }))).toEqual([
      { what: 'ssrf', reason: 'over-budget', count: 2 },
      { what: 'ssrf', reason: 'nothing-in-this-box-shows-it', count: 1 },
      { what: 'xxe', reason: 'over-budget', count: 1 },
    ]);
    expect(notTriedOf(sampleDetonated())).toEqual([]);
  });
});
