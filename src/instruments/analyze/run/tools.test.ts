import { describe, expect, it } from 'vitest';
import { toolSchema } from '../../../base/analysis-schema.ts';
import { sampleListing, sampleTool } from '../../../targets/listings/sample-listing.ts';
import { answer } from '../interrogate/trials/sample-observed.ts';
import { honestCall, madeTrial, sampleTrials } from './sample-calls.ts';
import { sampleDetonated } from './sample-detonated.ts';
import { toolsOf } from './tools.ts';

const nothing = { byTool: new Map(), findings: [] };
const [first] = sampleTrials;
if (first === undefined) throw new Error('the sample tool has trials');

describe('tools', () => {
  it('are told with what they say and what they did', () => {
    const detonated = sampleDetonated({
      tools: [{ tool: sampleTool, honest: [honestCall(), honestCall(sampleTool, answer('', { outcome: 'timeout' }))] }],
      made: [madeTrial(first), { ...madeTrial(first), trial: { ...first, tool: 'other' } }],
    });
    const use = { observed: ['reads files'], contradicted: ['readOnlyHint'] };
    expect(toolsOf(detonated, { byTool: new Map([['translate', use]]), findings: [] })).toEqual([
      {
        name: { text: 'translate' },
        description: { text: 'Translates an English word to German.' },
        annotations: { readOnlyHint: true },
        honestCalls: 2,
        answered: 1,
        trials: 1,
        ...use,
      },
    ]);
  });

  it.each([
    ['a name of a megabyte', { ...sampleTool, name: 'n'.repeat(1 << 20) }],
    ['a description of a megabyte', { ...sampleTool, description: 'd'.repeat(1 << 20) }],
    [
      'annotations that are no booleans',
      { ...sampleTool, annotations: { a: 1, b: 'true', c: null, [`${'x'.repeat(99)}`]: true } },
    ],
    ['escapes', { ...sampleTool, name: '\u001b]0;x\u0007', description: '\u0000' }],
    ['no description', { name: 'bare', inputSchema: null }],
  ])('fit into a report with %s', (_, tool) => {
    const [told] = toolsOf(sampleDetonated({ listing: sampleListing([tool]) }), nothing);
    expect(() => toolSchema.parse(told)).not.toThrow();
    expect(told).toMatchObject({ honestCalls: 0, answered: 0, trials: 0, observed: [] });
    expect(Object.values(told?.annotations ?? {}).every((value) => value === true)).toBe(true);
  });

  it('are none where nothing was listed, and so many at most', () => {
    expect(toolsOf(sampleDetonated({ listing: null }), nothing)).toEqual([]);
    const many = Array.from({ length: 2500 }, (_, at) => ({ ...sampleTool, name: `t${at}` }));
    expect(toolsOf(sampleDetonated({ listing: sampleListing(many) }), nothing)).toHaveLength(2000);
  });
});
