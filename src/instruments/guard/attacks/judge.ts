import { describeError, exitCodes, isKnownError } from '../../../base/errors.ts';
import type { Replay, RunReport, SeenStop } from './contract.ts';
import type { Attack } from './read-attacks.ts';

/** What the runs of one attack come to. */

export type Outcome = Pick<Replay, 'verdict' | 'says'>;

export function judgeOpen({ vulnerable }: Attack, { honest, isHit, answer }: RunReport): Outcome {
  if (isHit) return { verdict: 'vulnerable', says: `${vulnerable} does what the attack wants` };
  const why = honest.problem === null ? `the server answered: ${answer}` : honest.problem;
  return { verdict: 'not-reproducible', says: `the proof did not succeed: ${why}` };
}

export function judgeGuarded(
  { report: { isHit, honest, answer }, stopped }: { readonly report: RunReport; readonly stopped: SeenStop | null },
  open: RunReport,
): Outcome {
  if (isHit) return { verdict: 'vulnerable', says: 'the policy does not stop it' };
  if (!honest.works) {
    return {
      verdict: 'not-reproducible',
      says: `the honest task fails ${open.honest.works ? 'under this policy' : 'with and without a policy'}: ${honest.problem ?? 'no reason is known'}`,
    };
  }
  if (stopped === null) {
    return {
      verdict: 'not-reproducible',
      says: `the attack failed although the policy is not in its way: ${answer}`,
    };
  }
  // Before an attack gets to what it wants it may need something else that no line allows either.
  const tried = stopped.wasTried ? '' : `; no sensor saw it tried, the server said: ${answer.slice(0, 120)}`;
  return { verdict: 'blocked', says: `${stopped.says}${tried}` };
}

/** A machine that cannot isolate is our affair; everything else that fails is an answer about this attack. */
export function asOutcome(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return { verdict: 'not-reproducible', says: 'it took longer than it may' };
  if (!isKnownError(error) || error.exitCode === exitCodes.noIsolation) throw error;
  return { verdict: 'not-reproducible', says: describeError(error) };
}
