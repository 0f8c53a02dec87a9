import { describe, expect, it } from 'vitest';
import { EventWindow } from '../session/event-window.ts';
import { event } from '../trials/sample-observed.ts';
import { awaitQuiet } from './quiet.ts';

/** Something happens every few milliseconds, so many times; how often it has, tells when the wait ended. */
function noisy(window: EventWindow, times: number) {
  let count = 0;
  const timer = setInterval(() => {
    const at = { monotonicNs: String(process.hrtime.bigint()), wall: '2025-06-01T12:00:00.000Z' };
    window.add([{ ...event(count, 'open', {}), at }]);
    count += 1;
    if (count >= times) clearInterval(timer);
  }, 10);
  return { stop: () => clearInterval(timer), count: () => count };
}

describe('waiting for quiet', () => {
  it('ends at once where nothing happens', async () => {
    await awaitQuiet(new EventWindow(), 20, 600_000);
  });

  it('lasts while something happens', async () => {
    const window = new EventWindow();
    const noise = noisy(window, 12);
    await awaitQuiet(window, 100, 600_000);
    expect(noise.count()).toBe(12);
  });

  it('lasts no longer than it may', async () => {
    const window = new EventWindow();
    const noise = noisy(window, 100_000);
    await awaitQuiet(window, 40, 200);
    noise.stop();
    expect(noise.count()).toBeGreaterThan(0);
  });
});
