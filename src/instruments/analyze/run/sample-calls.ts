import type { CallResult, ListedTool } from '../../../targets/conversation/contract.ts';
import { sampleTool } from '../../../targets/listings/sample-listing.ts';
import { honestInputs, readKnowledge } from '../interrogate/arguments/index.ts';
import { sampleWorld } from '../interrogate/arguments/sample-world.ts';
import type { HonestCall, MadeTrial } from '../interrogate/session/contract.ts';
import type { Trial } from '../interrogate/trials/index.ts';
import { answer, readBench, trialsFor } from '../interrogate/trials/sample-observed.ts';

/** Calls for tests, as a session keeps them. */

const knowledge = readKnowledge();

export function honestCall(tool: ListedTool = sampleTool, result: CallResult = answer('done')): HonestCall {
  const [input] = honestInputs(tool, sampleWorld, { seed: 'sample', knowledge, mostInputs: 1 });
  if (input === undefined) throw new Error('every tool has an honest input');
  return { input, result, fromNs: 0n, toNs: 0n };
}

export const sampleTrials: readonly Trial[] = trialsFor(sampleTool, readBench());

export function madeTrial(trial: Trial, result: CallResult = answer('done')): MadeTrial {
  return { trial, input: { word: trial.value }, result, fromNs: 0n, toNs: 0n };
}
