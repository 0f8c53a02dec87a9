import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { joinSignals } from './join-signals.ts';

describe('joinSignals', () => {
  it('is aborted with any of them, with its reason', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = joinSignals([undefined, one.signal, two.signal]);
    expect(signal.aborted).toBe(false);
    two.abort('why');
    expect(signal.reason).toBe('why');
  });

  it('is aborted from the beginning when one of them is', () => {
    expect(joinSignals([AbortSignal.abort('before')]).signal.reason).toBe('before');
  });

  it('leaves nothing on a source that lives on', () => {
    const source = new AbortController();
    for (let turn = 0; turn < 20; turn += 1) joinSignals([source.signal]).release();
    expect(getEventListeners(source.signal, 'abort')).toEqual([]);
  });
});
