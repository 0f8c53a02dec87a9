import { constants } from 'node:os';
import type { Event } from '../../../base/event-schema.ts';

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

/** How a process ended, in the form that `wait` gives: a signal in the lower seven bits, or else a code above them. */
export function endFields(status: number | null): Event['fields'] {
  if (status === null) return { signal: 'unknown' };
  const signal = status & 0x7f;
  return signal === 0 ? { code: (status >> 8) & 0xff } : { signal: signalNames.get(signal) ?? `signal-${signal}` };
}
