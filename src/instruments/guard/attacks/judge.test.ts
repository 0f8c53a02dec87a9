import { describe, expect, it } from 'vitest';
import { HostError, TargetError } from '../../../base/errors.ts';
import type { RunReport, SeenStop } from './contract.ts';
import { asOutcome, judgeGuarded, judgeOpen } from './judge.ts';
import { findAttack } from './read-attacks.ts';

const attack = findAttack('CVE-2025-53110');
const run: RunReport = {
  version: '1.0.0',
  backend: 'bwrap',
  honest: { works: true, problem: null },
  isHit: false,
  answer: 'denied',
  durationMs: 1,
};
const broken: RunReport = { ...run, honest: { works: false, problem: 'it broke' } };
const stopped: SeenStop = { wanted: 'to read /x', line: null, nearest: [], says: 'no line allows it', wasTried: true };

describe('judgeOpen', () => {
  it.each([
    [{ ...run, isHit: true }, 'vulnerable', /does what the attack wants/],
    [run, 'not-reproducible', /the server answered: denied/],
    [broken, 'not-reproducible', /it broke/],
  ])('%#', (report, verdict, says) => {
    const outcome = judgeOpen(attack, report);
    expect(outcome.verdict).toBe(verdict);
    expect(outcome.says).toMatch(says);
  });
});

describe('judgeGuarded', () => {
  it.each([
    [run, stopped, run, 'blocked', /^no line allows it$/],
    [run, { ...stopped, wasTried: false }, run, 'blocked', /no sensor saw it tried, the server said: denied/],
    [{ ...run, isHit: true }, stopped, run, 'vulnerable', /does not stop it/],
    [broken, stopped, run, 'not-reproducible', /under this policy: it broke/],
    [broken, stopped, broken, 'not-reproducible', /with and without a policy/],
    // A failure that the policy does not explain is nothing that the policy can be praised for.
    [run, null, run, 'not-reproducible', /although the policy is not in its way/],
  ])('%#', (report, stop, open, verdict, says) => {
    const outcome = judgeGuarded({ report, stopped: stop }, open);
    expect(outcome.verdict).toBe(verdict);
    expect(outcome.says).toMatch(says);
  });
});

describe('asOutcome', () => {
  const live = new AbortController().signal;
  it('tells what failed, unless it is ours', () => {
    expect(asOutcome(new TargetError('gone'), live).says).toBe('gone');
    expect(asOutcome(new Error('x'), AbortSignal.abort()).says).toMatch(/longer than it may/);
    expect(() => asOutcome(new HostError('no box', { exitCode: 4 }), live)).toThrow('no box');
    expect(() => asOutcome(new TypeError('a bug'), live)).toThrow('a bug');
  });
});
