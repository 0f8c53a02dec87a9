import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { EndingSignal } from '../interrupts.ts';
import { codeWhenEnded, firstFailure } from './open.ts';

describe('codeWhenEnded', () => {
  it.each<[EndingSignal | null, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    [null, 3],
  ])('%s: %i', (received, code) => {
    const signal = AbortSignal.abort();
    expect(codeWhenEnded(signal.reason, signal, received)).toBe(code);
  });

  it('hides no other failure', () => {
    const failure = new UsageError('something else');
    expect(() => codeWhenEnded(failure, AbortSignal.abort(), 'SIGINT')).toThrow(failure);
    expect(() => codeWhenEnded(failure, new AbortController().signal, null)).toThrow(failure);
  });
});

it('what went wrong first is told', () => {
  const [first, second, third] = [new UsageError('first'), new Error('second'), new Error('third')];
  expect(firstFailure(first)).toBe(first);
  expect(firstFailure(new SuppressedError(third, new SuppressedError(second, first)))).toBe(first);
});
