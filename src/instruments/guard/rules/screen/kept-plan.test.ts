import { describe, expect, it } from 'vitest';
import { readPhrases } from '../../../../targets/wording/phrases.ts';
import { readPlan, writePlan } from './kept-plan.ts';
import { planPhrases } from './phrase-plan.ts';

const phrases = readPhrases();

describe('the plan that is kept', () => {
  it('is the one that would be made', () => {
    expect(readPlan(phrases)).toEqual(planPhrases(phrases));
    expect(JSON.parse(writePlan(phrases))).toMatchObject({ nearbyOf: [...planPhrases(phrases).nearbyOf] });
  });

  it('is made anew for other phrases', () => {
    const fewer = { ...phrases, patterns: phrases.patterns.slice(0, 3) };
    expect(readPlan(fewer)).toEqual(planPhrases(fewer));
  });
});
