import { readFileSync } from 'node:fs';
import { type Event, eventSchema } from '../../base/event-schema.ts';

/** Events for tests: real ones that were recorded, and made ones. */

/** Recorded in a box; what every program reads of the system was taken out, and bodies of traffic too. */
export function recordedEvents(name: 'ssh-key-on-start' | 'shell-injection'): readonly Event[] {
  const path = new URL(`../../../test/samples/stories/${name}.ndjson`, import.meta.url);
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)));
}

export function eventAt(ms: number, rest: Partial<Event> & Pick<Event, 'kind'>, seq = 0): Event {
  return {
    seq,
    at: { monotonicNs: String(BigInt(Math.round(ms * 1000)) * 1000n), wall: '2026-01-01T00:00:00.000Z' },
    run: 'run',
    phase: 'use',
    source: 'test',
    fields: {},
    ...rest,
  };
}

export function processOf(pid: number, parent: number, name = 'node', argv?: readonly string[]): Event['process'] {
  return { pid, parent, name: { text: name }, ...(argv === undefined ? {} : { argv: argv.map((text) => ({ text })) }) };
}
