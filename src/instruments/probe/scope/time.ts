import { isWindowOpen, windowClosesAt } from './clock.ts';
import { scopeDefaults } from './schema.ts';
import type { LoadedScope } from './scope.ts';

/** When scans may run. Times are milliseconds since 1970. */

type Timed = { readonly document: Pick<LoadedScope['document'], 'notBefore' | 'expires' | 'window'> };

/** Why no scan may start now, in words; null when one may. */
export function objectToTime({ document }: Timed, now: number): string | null {
  const { notBefore, expires, window } = document;
  if (!Number.isFinite(now)) return 'the time is not known';
  if (notBefore !== undefined && now < Date.parse(notBefore)) return `the scope begins at ${notBefore}`;
  if (expires !== undefined && now >= Date.parse(expires)) return `the scope expired at ${expires}`;
  if (window === undefined || isWindowOpen(window, now)) return null;
  const days = window.days === undefined ? '' : ` on ${window.days.join(', ')}`;
  const zone = window.timeZone ?? scopeDefaults.timeZone;
  return `the scope is open from ${window.from} to ${window.to} ${zone}${days}`;
}

/** When a scan that starts now has to be ended: at once where none may start, null where the scope has no end. */
export function endsAt(scope: Timed, now: number): number | null {
  if (objectToTime(scope, now) !== null) return now;
  const { expires, window } = scope.document;
  const ends = [
    expires === undefined ? null : Date.parse(expires),
    window === undefined ? null : windowClosesAt(window, now),
  ].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}
