import { describe, expect, it } from 'vitest';
import { budgetNames } from '../trials/budget.ts';
import { causeOf, causeOfLater } from './cause.ts';
import {
  ciVariables,
  echoesOf,
  findVariant,
  firstVariant,
  isolate,
  laterListings,
  plannedVariants,
  variantEnvironment,
  variants,
  withoutClock,
} from './variants.ts';

describe('variants', () => {
  it('have ids of their own, fit for a report, and can be found again', () => {
    const all = [firstVariant, ...variants];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id, title } of [...all, ...laterListings]) {
      expect(id).toMatch(/^[a-z0-9+-]{1,64}$/);
      expect(title.length).toBeLessThanOrEqual(256);
    }
    for (const variant of all) expect(findVariant(variant.id)).toEqual(variant);
    expect(findVariant('client-nobody')).toBeNull();
  });

  it.each([
    { budget: 'quick', starts: 1 },
    { budget: 'standard', starts: 2 },
    { budget: 'deep', starts: 8 },
  ] as const)('are $starts more starts for $budget', ({ budget, starts }) => {
    expect(plannedVariants(budget).length).toBe(starts);
    expect(plannedVariants(budget).every(({ id }) => findVariant(id) !== null)).toBe(true);
  });

  it.each([
    { id: 'client-cursor+clock-30', left: 'client-cursor' },
    { id: 'client-unknown+clock-3+ci', left: 'client-unknown+ci' },
    { id: 'ci', left: 'ci' },
    { id: 'clock-3', left: null },
  ])('$id without the clock is $left', ({ id, left }) => {
    const variant = findVariant(id);
    const without = variant === null ? null : withoutClock(variant);
    expect(without?.id ?? null).toBe(left);
    if (without !== null) expect(without).toMatchObject({ clockDays: 0, identity: variant?.identity });
  });

  it('cover another client, a later day and a CI service from standard on', () => {
    for (const budget of budgetNames.filter((name) => name !== 'quick')) {
      const planned = plannedVariants(budget);
      expect(planned.map(({ clockDays }) => clockDays)).toEqual(expect.arrayContaining([3, 30]));
      expect(planned.map(({ identity }) => identity.name)).toEqual(expect.arrayContaining(['cursor', 'lantern']));
      expect(planned.some(({ setVariables }) => setVariables.CI === 'true')).toBe(true);
    }
  });

  it('can be taken apart, each part differing from the first in one thing', () => {
    for (const variant of variants) {
      const parts = isolate(variant);
      expect(parts.length).toBe(variant.id.includes('+') ? variant.id.split('+').length : 0);
      for (const part of parts) {
        const differing = [
          part.identity.name !== firstVariant.identity.name,
          part.clockDays !== 0,
          Object.keys(part.setVariables).length > 0,
        ].filter(Boolean);
        expect(differing).toEqual([true]);
        expect(isolate(part)).toEqual([]);
      }
    }
  });

  it('set and unset variables', () => {
    const given = { CI: '1', KEY: 'value' };
    expect(variantEnvironment(firstVariant, given)).toEqual({ KEY: 'value' });
    const ci = findVariant('ci');
    expect(ci).not.toBeNull();
    if (ci !== null) expect(variantEnvironment(ci, given)).toEqual({ KEY: 'value', ...ciVariables });
  });

  it('name what a server may repeat', () => {
    expect(echoesOf(...variants)).toEqual(expect.arrayContaining(['claude-desktop', 'cursor', 'lantern']));
  });
});

describe('causeOf', () => {
  it.each([
    { id: 'client-cursor', kind: 'client' },
    { id: 'clock-30', kind: 'clock' },
    { id: 'ci', kind: 'ci' },
    { id: 'client-cursor+clock-30', kind: 'several' },
  ])('calls $id $kind', ({ id, kind }) => {
    const variant = findVariant(id);
    if (variant === null) throw new Error(id);
    expect(causeOf(variant, [])).toEqual([{ kind, title: variant.title }]);
  });

  it('prefers what made the difference alone', () => {
    const [variant] = plannedVariants('quick');
    if (variant === undefined) throw new Error('nothing is planned');
    const alone = isolate(variant).filter(({ clockDays }) => clockDays > 0);
    expect(causeOf(variant, alone).map(({ kind }) => kind)).toEqual(['clock']);
  });

  it('tells a mere second listing from one after calls', () => {
    expect(laterListings.map((later) => causeOfLater(later, false).kind)).toEqual(['repeat', 'calls', 'calls']);
  });
});
