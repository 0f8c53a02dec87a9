import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { tierPolicy } from '../policy/index.ts';
import { buildEnvironment } from './environment.ts';

const facts = { folders: { home: '/home/sam', work: '/home/sam/project', tmp: '/tmp' }, userName: 'sam' };

describe('the environment of a target', () => {
  it('is filled with values made for the box', () => {
    const environment = buildEnvironment(tierPolicy('LOW'), facts, {});
    expect(environment).toMatchObject({ HOME: '/home/sam', USER: 'sam', TMPDIR: '/tmp' });
    expect(environment.PATH).toContain('/usr/bin');
  });

  it('has nothing but what the policy names', () => {
    const policy = { ...tierPolicy('LOW'), environment: [{ name: 'ONLY', value: 'this' }] };
    expect(buildEnvironment(policy, facts, {})).toEqual({ ONLY: 'this' });
  });

  it.each([
    { what: 'a name that is not in the list', given: { NODE_OPTIONS: '--require=/tmp/x' } },
    { what: 'another value for a fixed variable', given: { ONLY: 'that' } },
    { what: 'a NUL', given: { FREE: 'a\0b' } },
  ])('refuses $what', ({ given }) => {
    const policy = { ...tierPolicy('LOW'), environment: [{ name: 'ONLY', value: 'this' }, { name: 'FREE' }] };
    expect(() => buildEnvironment(policy, facts, given as unknown as Record<string, string>)).toThrow(UsageError);
  });
});
