import { describe, expect, it } from 'vitest';
import { sampleListing } from '../../../../targets/listings/sample-listing.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import type { ResourceTrial } from '../resources/contract.ts';
import { type ResourceSession, resourceTrials } from '../resources/index.ts';
import type { Verdict } from '../trials/index.ts';
import { answer, readBench } from '../trials/sample-observed.ts';
import { resourceProven } from './resource-proven.ts';

const listing = sampleListing([], {
  resources: [{ uri: 'file:///planted/root/notes.txt', isTemplate: false }],
  prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
});
const planned = resourceTrials(listing, sampleWorld, { seed: 'seed', ...readBench(), isConfined: false });
const resource = planned.trials.find(({ request }) => request.kind === 'resource');
const prompt = planned.trials.find(({ request }) => request.kind === 'prompt');
if (resource === undefined || prompt === undefined) throw new Error('both kinds have trials');

function inputOf({ request }: ResourceTrial): unknown {
  return request.kind === 'resource' ? { uri: request.uri } : request.input;
}

function verdictOf(trial: string): Verdict {
  return {
    trial,
    class: 'path-traversal',
    payload: 'plain',
    tool: 'resources/read',
    pointer: '/uri',
    oracle: 'canary-in-result',
    evidenceClass: 'A',
    events: [3],
    excerpt: { text: 'x' },
    because: 'it came back',
    cwe: [],
    isByDesign: false,
  };
}

function session(more: Partial<ResourceSession>): ResourceSession {
  return { verdicts: [], findings: [], calls: [], tried: 0, notTried: [], ...more };
}

const call = (trial: ResourceTrial, isTrial: boolean, text: string) => ({
  tool: trial.tool,
  input: inputOf(trial),
  result: answer(text),
  isTrial,
});

describe('trials of resources', () => {
  it.each([
    ['a resource', resource],
    ['a prompt', prompt],
  ])('of %s have the form of those of tools', (_, trial) => {
    const verdict = verdictOf(trial.id);
    const proven = resourceProven(session({ verdicts: [verdict], calls: [call(trial, true, 'the token')] }), planned);
    expect(proven).toMatchObject([
      {
        verdict,
        isConfirmed: false,
        made: { trial: { id: trial.id }, input: inputOf(trial), result: answer('the token') },
      },
    ]);
  });

  it.each([
    ['its trial is not known', { verdicts: [verdictOf('none')], calls: [call(resource, true, '')] }],
    ['nobody made the call', { verdicts: [verdictOf(resource.id)], calls: [] }],
    ['only an honest call was made', { verdicts: [verdictOf(resource.id)], calls: [call(resource, false, '')] }],
  ])('are none where %s', (_, more) => {
    expect(resourceProven(session(more), planned)).toEqual([]);
  });
});
