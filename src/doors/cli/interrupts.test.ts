import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { exitCodeOf, withInterrupts } from './interrupts.ts';

describe('withInterrupts', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('holds %s back and tells the work', async (signal) => {
    const before = process.listenerCount(signal);
    const received = await withInterrupts(async (interrupts) => {
      expect(interrupts.received()).toBeNull();
      process.kill(process.pid, signal);
      while (!interrupts.signal.aborted) await setImmediate();
      return interrupts.received();
    });
    expect(received).toBe(signal);
    expect(process.listenerCount(signal)).toBe(before);
  });

  it('remembers the first of several, and that somebody insisted', async () => {
    const received = await withInterrupts(async (interrupts) => {
      process.emit('SIGTERM', 'SIGTERM');
      expect(interrupts.insistence.aborted).toBe(false);
      process.emit('SIGINT', 'SIGINT');
      expect(interrupts.insistence.aborted).toBe(true);
      return interrupts.received();
    });
    expect(received).toBe('SIGTERM');
  });

  it('lets go when the work fails', async () => {
    const before = process.listenerCount('SIGINT');
    await expect(withInterrupts(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

describe('exitCodeOf', () => {
  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGKILL', 137],
    ['SIGPIPE', 141],
    ['SIGTERM', 143],
    ['SIGWHAT', 128],
  ])('%s', (signal, code) => {
    expect(exitCodeOf(signal)).toBe(code);
  });
});
