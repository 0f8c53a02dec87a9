import { minuteMs } from '../../../base/limits.ts';
import { type ScopeWindow, scopeDefaults, type WeekDay, weekDays } from './schema.ts';

/** The clock on the wall of a time zone, and whether a window is open by it. */

export const dayMinutes = 24 * 60;

/** Whether the platform knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds that the wall clock is ahead of UTC at a moment. */
export function offsetOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return wall - Math.floor(at / 1000) * 1000;
  };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

const epochDay = weekDays.indexOf('thu');

/** Whether a window is open when the wall shows this; minutes since 1970 by that wall. */
function isOpen(window: ScopeWindow, wallMinutes: number): boolean {
  const [from, to] = [minutesOf(window.from), minutesOf(window.to)];
  const minute = ((wallMinutes % dayMinutes) + dayMinutes) % dayMinutes;
  const day = Math.floor(wallMinutes / dayMinutes);
  const opensOn = (number: number): boolean => {
    const name: WeekDay | undefined = weekDays[(((number + epochDay) % 7) + 7) % 7];
    return window.days === undefined || (name !== undefined && window.days.includes(name));
  };
  if (from < to) return from <= minute && minute < to && opensOn(day);
  // It crosses midnight: the early hours belong to the day on which it opened.
  return (minute >= from && opensOn(day)) || (minute < to && opensOn(day - 1));
}

export function isWindowOpen(window: ScopeWindow, now: number): boolean {
  const offset = offsetOf(window.timeZone ?? scopeDefaults.timeZone);
  return isOpen(window, Math.floor((now + offset(now)) / minuteMs));
}

/** Time zones change their offset at whole quarters of an hour of UTC. */
const quarterMs = 15 * minuteMs;
/** A window with days shows all that it has to show within a week, and one more day for a change of the clock. */
const mostQuarters = 8 * 24 * 4;

/** The first moment after now at which the window is closed; null when it never is. Now itself, where it is closed. */
export function windowClosesAt(window: ScopeWindow, now: number): number | null {
  const offset = offsetOf(window.timeZone ?? scopeDefaults.timeZone);
  if (!isOpen(window, Math.floor((now + offset(now)) / minuteMs))) return now;
  const firstQuarter = Math.floor(now / quarterMs) * quarterMs;
  for (let turn = 0; turn < mostQuarters; turn += 1) {
    const quarter = firstQuarter + turn * quarterMs;
    const ahead = offset(quarter);
    for (let at = quarter; at < quarter + quarterMs; at += minuteMs) {
      if (at > now && !isOpen(window, Math.floor((at + ahead) / minuteMs))) return at;
    }
  }
  return null;
}
