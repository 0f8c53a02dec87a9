import type { DecideEgress } from '../../../engine/net/egress/find-way.ts';
import type { EgressGate } from '../../../engine/net/index.ts';
import { decideReach, type LoadedScope } from '../scope/index.ts';
import type { RoomOptions } from './contract.ts';

/** From when on nothing more of a scan gets through, in milliseconds since 1970; infinite where its scope has no end. */
export interface RoomEndTime {
  readonly untilMs: number;
}

export const timeIsOver = 'the time of the scope is over';

/** Also by the clock: a program that is asked to end may take its time. */
export function objectToClock({ untilMs }: RoomEndTime, now: number): string | null {
  return now >= untilMs ? timeIsOver : null;
}

/** The scope, and of it no more than this scan is for, for as long as the scope lasts. */
export function decideFor(
  scope: LoadedScope,
  { addresses, ports }: RoomOptions['aim'],
  time: RoomEndTime,
  clock: () => number = Date.now,
): DecideEgress {
  return (_host, port, address) => {
    const refuse = (detail: string) => ({ is: 'refused' as const, because: 'not-listed' as const, detail });
    if (!addresses.includes(address)) return refuse(`${address || 'it'} is not what this scan is aimed at`);
    if (!ports.some(({ from, to }) => port >= from && port <= to))
      return refuse(`port ${port} is not what this scan is aimed at`);
    const late = objectToClock(time, clock());
    if (late !== null) return refuse(late);
    const reach = decideReach(scope, address, port);
    return reach.is === 'allowed' ? { is: 'allowed' as const, address } : refuse(reach.detail);
  };
}

/** More than a timer can take is more than any scan takes. */
const longestTimerMs = 2 ** 31 - 1;

/** What is open when the scope ends is cut then: the gate asks again, and its clock says no. */
export function cutAtEnd(gate: Pick<EgressGate, 'setRules'>, { untilMs }: RoomEndTime): NodeJS.Timeout | undefined {
  const ms = untilMs - Date.now();
  if (ms >= longestTimerMs - 2) return undefined;
  const cut = (): void => void gate.setRules([]).catch(() => undefined);
  // A timer may come a moment too early for the clock.
  return setTimeout(cut, Math.max(0, ms) + 2);
}
