import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Event, isComplete } from '../../../src/base/event-schema.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { systemCallSensors } from '../../../src/engine/sensor/index.ts';
import { Arena } from '../box/arena.ts';
import { findMissing } from './expect/find-missing.ts';
import { deniedCalls } from './expect/sight.ts';
import { sixtyActions } from './expect/sixty.ts';
import { watchProgram } from './watched-box.ts';

/** What a program does, all of it, is seen: the same programme on every sensor and every backend that it watches. */

const places = systemCallSensors.flatMap((sensor) => sensor.backends.map((backend) => ({ sensor, backend })));

describe.each(places)('$sensor.id on $backend', ({ sensor, backend }) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it.each(['LOW', 'CRITICAL'] as const)(
    'sees every action of a program under %s, in order, with the right tree',
    async (tier) => {
      const policy = tierPolicy(tier);
      const events: Event[] = [];
      const { completeness, heart, output, scratch } = await watchProgram({
        sensor,
        backend,
        policy,
        options: arena.options,
        program: 'sixty.pl',
        onEvent: (event) => events.push(event),
      });
      const { pids } = JSON.parse(output) as { pids: Record<string, number> };
      const facts = { sensor: sensor.id, backend, pids, denied: deniedCalls(policy, backend) };
      expect(findMissing(events, sixtyActions(scratch), facts)).toEqual([]);
      expect(heart.seen).toBe(1);
      expect(isComplete(completeness)).toBe(true);
      expect(completeness).toMatchObject({ source: sensor.id, dropped: 0 });
      expect(completeness.received).toBeGreaterThanOrEqual(events.length);
    },
  );
});
