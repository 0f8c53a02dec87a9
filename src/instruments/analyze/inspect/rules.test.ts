import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../base/finding-schema.ts';
import { excerpt, makeFinding, oneLine } from './rule.ts';
import { inspectRules } from './rules.ts';

describe('the list of rules', () => {
  it('has every id once', () => {
    const ids = inspectRules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(40);
  });

  it.each(inspectRules)('$id makes a finding that is valid, and says what it is about', (rule) => {
    const finding = makeFinding(rule, { identity: ['x'] });
    expect(findingSchema.parse(finding)).toEqual(finding);
    for (const part of [rule.title, rule.what, rule.why, rule.remediation]) expect(part.length).toBeGreaterThan(10);
  });
});

describe('text of a target in a finding', () => {
  it('is one line without controls in a title', () => {
    expect(oneLine('a\n\u001b[31mb\u202e\u200bc')).toBe('a [31mb c');
    expect(oneLine('x'.repeat(300))).toHaveLength(256);
  });

  it('is cut at a whole character in an excerpt', () => {
    expect(excerpt('short')).toEqual({ text: 'short' });
    expect(excerpt('aé'.repeat(4), 5)).toEqual({ text: 'aéa', droppedBytes: 8 });
    expect(excerpt('\ud800x')).toEqual({ text: '\ufffdx' });
  });
});
