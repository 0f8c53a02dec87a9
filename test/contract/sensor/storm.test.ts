import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isComplete } from '../../../src/base/event-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import type { BackendId } from '../../../src/engine/box/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { systemCallSensors } from '../../../src/engine/sensor/index.ts';
import { Arena } from '../box/arena.ts';
import { StormCounter } from './expect/storm.ts';
import { watchProgram } from './watched-box.ts';

/** Nothing is lost, however much there is and however slowly it is read: whoever is watched waits. */

interface Force {
  readonly opens: number;
  readonly execs: number;
  readonly connects: number;
}

const whole: Force = { opens: 200_000, execs: 2000, connects: 2000 };
/** Of each of ten boxes at once. */
const tenth: Force = { opens: 20_000, execs: 200, connects: 200 };
const slowMs = 5;
const longestMs = 600_000;

/** A storm is long and takes many processes. */
function stormPolicy(): Policy {
  const policy = tierPolicy('HIGH');
  return {
    ...policy,
    network: { mode: 'none', rules: [] },
    limits: { ...policy.limits, wallMs: longestMs, processes: 512 },
  };
}

function sensorFor(backend: BackendId) {
  const sensor = systemCallSensors.find(({ backends }) => backends.includes(backend));
  if (sensor === undefined) throw new Error(`no sensor for ${backend}`);
  return sensor;
}

async function weather(backend: BackendId, arena: Arena, force: Force): Promise<readonly string[]> {
  let counter: StormCounter | null = null;
  const { completeness, heart } = await watchProgram({
    sensor: sensorFor(backend),
    backend,
    policy: stormPolicy(),
    options: arena.options,
    program: 'storm.pl',
    words: [force.opens, force.execs, force.connects].map(String),
    slowMs,
    onEvent: (event, scratch) => {
      counter ??= new StormCounter(scratch, force);
      counter.take(event);
    },
  });
  const misses = (counter as StormCounter | null)?.misses() ?? ['nothing was seen'];
  return [
    ...misses,
    ...(isComplete(completeness) ? [] : [`not complete: ${JSON.stringify(completeness)}`]),
    ...(heart.seen === 1 ? [] : ['no heartbeat']),
  ];
}

describe.each(['bwrap', 'gvisor'] as const)('a storm in a %s box', (backend) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it(
    `loses nothing of ${whole.opens} opens, ${whole.execs} execs and ${whole.connects} connects to a slow reader`,
    async (context) => {
      await arena.need(backend, context);
      expect(await weather(backend, arena, whole)).toEqual([]);
    },
    longestMs,
  );

  it(
    'loses nothing in ten boxes at once',
    async (context) => {
      await arena.need(backend, context);
      const boxes = Array.from({ length: 10 }, () => weather(backend, arena, tenth));
      expect((await Promise.all(boxes)).flat()).toEqual([]);
    },
    longestMs,
  );
});
