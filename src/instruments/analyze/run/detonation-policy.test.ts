import { describe, expect, it } from 'vitest';
import { mebibyte } from '../../../base/limits.ts';
import { policySchema } from '../../../base/policy-schema.ts';
import { budgetNames } from '../interrogate/trials/index.ts';
import { detonationPolicy } from './detonation-policy.ts';
import { budgetTimes, usualWishes } from './wishes.ts';

describe('the policy of a detonation', () => {
  it('has a fake network and no software of the machine', () => {
    const policy = policySchema.parse(detonationPolicy(usualWishes));
    expect(policy.network).toEqual({ mode: 'fake', rules: [] });
    const paths = policy.files.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => /^\/(?:opt|srv|root|home)(?:\/|$)/.test(path))).toEqual([]);
    expect(policy.limits.wallMs).toBeGreaterThan(budgetTimes.deep.mostMs);
  });

  it('has no network where none is wanted, and never a real one', () => {
    expect(detonationPolicy({ ...usualWishes, hasNetwork: false }).network).toEqual({ mode: 'none', rules: [] });
  });

  it('has the limits that are wanted, and the usual ones otherwise', () => {
    const usual = detonationPolicy(usualWishes).limits;
    const wanted = detonationPolicy({ ...usualWishes, memoryBytes: 64 * mebibyte, cpuCores: 1 }).limits;
    expect(wanted).toEqual({ ...usual, memoryBytes: 64 * mebibyte, cpuCores: 1 });
    expect(usual.memoryBytes).not.toBe(64 * mebibyte);
  });
});

describe('wishes', () => {
  it('take longer from budget to budget', () => {
    const times = budgetNames.map((name) => budgetTimes[name]);
    for (const key of ['mostMs', 'patienceMs'] as const) {
      const values = times.map((each) => each[key]);
      expect(values).toEqual(values.toSorted((one, other) => one - other));
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it('are those of the standard budget when nobody says otherwise', () => {
    expect(usualWishes).toMatchObject({ budget: 'standard', ...budgetTimes.standard, hasNetwork: true, model: null });
    expect(usualWishes.remoteCalls).toBeUndefined();
  });
});
