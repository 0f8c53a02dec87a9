import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../base/event-schema.ts';
import { EventWindow } from '../session/event-window.ts';
import { event } from '../trials/sample-observed.ts';
import { awaitQuiet, isUnfinished } from './quiet.ts';

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

type Told = readonly [kind: Event['kind'], agoMs: number, fields?: Event['fields']];
const now = 100_000_000_000n;
const history = (...told: readonly Told[]): readonly Event[] =>
  told.map(([kind, agoMs, fields = {}], seq) => ({
    ...event(seq, kind, fields),
    at: { monotonicNs: String(now - BigInt(agoMs) * 1_000_000n), wall: '2025-06-01T12:00:00.000Z' },
  }));
const opened: Told = ['connection', 900, { state: 'open', connection: 3, asked: { name: 'a.example' } }];
const answered: Told = ['dns-answer', 1000, { questions: [{ name: 'a.example', type: 'A' }] }];

describe('something that was begun', () => {
  it.each<[string, boolean, readonly Told[]]>([
    ['is nothing', false, []],
    [
      'is none of what goes on anyway',
      false,
      [
        ['open', 10],
        ['exec', 10],
        ['dns-query', 10],
      ],
    ],
    ['is a name that was looked up', true, [answered]],
    ['is not a name that nobody came for', false, [['dns-answer', 2000, { questions: [{ name: 'a.example' }] }]]],
    ['is a connection without a word', true, [answered, opened]],
    ['is the same after its hello', true, [opened, ['tls-hello', 800, { connection: 3 }]]],
    ['is done with a request', false, [answered, opened, ['http-request', 100, { connection: 3 }]]],
    ['is done with bytes', false, [opened, ['raw-bytes', 100, { connection: 3 }]]],
    ['is not done with those of another', true, [opened, ['http-request', 100, { connection: 4 }]]],
    ['is done when it is closed', false, [opened, ['connection', 100, { state: 'closed', connection: 3 }]]],
    ['is a decoy that was read', true, [['bait-read', 300]]],
    ['is not one that was read long ago', false, [['bait-read', 3000]]],
    [
      'is done when the decoy has gone',
      false,
      [
        ['bait-read', 300],
        ['http-request', 100, { connection: 4 }],
      ],
    ],
  ])('%s: %s', (_, wanted, told) => {
    expect(isUnfinished(history(...told), now)).toBe(wanted);
  });
});

describe('waiting for quiet', () => {
  it('lasts for a connection that has said nothing yet, though nothing happens', async () => {
    const window = new EventWindow();
    const at = () => ({ monotonicNs: String(process.hrtime.bigint()), wall: '2025-06-01T12:00:00.000Z' });
    let isSaid = false;
    window.add([{ ...event(0, 'connection', { state: 'open', connection: 3 }), at: at() }]);
    setTimeout(() => {
      isSaid = true;
      window.add([{ ...event(1, 'http-request', { connection: 3 }), at: at() }]);
    }, 300);
    await awaitQuiet(window, 20, 50);
    expect(isSaid).toBe(true);
  });

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
