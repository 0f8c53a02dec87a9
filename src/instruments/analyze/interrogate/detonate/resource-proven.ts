import type { ResourceSession, ResourceTrials } from '../resources/index.ts';
import type { MadeTrial, ProvenTrial } from '../session/contract.ts';

/** Trials of resources and prompts in the form of those of tools. */
export function resourceProven(
  { verdicts, calls }: ResourceSession,
  { trials }: ResourceTrials,
): readonly ProvenTrial[] {
  return verdicts.flatMap((verdict): ProvenTrial[] => {
    const trial = trials.find(({ id }) => id === verdict.trial);
    if (trial === undefined) return [];
    const { request } = trial;
    const input = request.kind === 'resource' ? { uri: request.uri } : request.input;
    const call = calls.find((each) => each.isTrial && JSON.stringify(each.input) === JSON.stringify(input));
    if (call === undefined) return [];
    const made: MadeTrial = { trial, input, result: call.result, fromNs: 0n, toNs: 0n };
    return [{ verdict, made, isConfirmed: false }];
  });
}
