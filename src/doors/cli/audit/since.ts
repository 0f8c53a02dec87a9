import { UsageError } from '../../../base/errors.ts';
import { minuteMs, secondMs } from '../../../base/limits.ts';

const units: Readonly<Record<string, number>> = {
  s: secondMs,
  m: minuteMs,
  h: 60 * minuteMs,
  d: 24 * 60 * minuteMs,
  w: 7 * 24 * 60 * minuteMs,
};
const longestMs = 100 * 365 * 24 * 60 * minuteMs;

/** A date, or how long ago: `90m`, `2h`, `7d`. As an ISO time. */
export function sinceTime(text: string, now: Date): string {
  const ago = /^(\d{1,6})([smhdw])$/.exec(text);
  if (ago !== null) return new Date(now.getTime() - durationMs(text)).toISOString();
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(at.getTime())) {
    throw new UsageError(`--since ${JSON.stringify(text.slice(0, 100))} is no time`, {
      hint: 'a date such as 2026-05-01 or 2026-05-01T10:00:00Z, or how long ago: 90m, 2h, 7d',
    });
  }
  return at.toISOString();
}

export function durationMs(text: string): number {
  const match = /^(\d{1,6})([smhdw])$/.exec(text);
  const ms = match === null ? Number.NaN : Number(match[1]) * (units[match[2] ?? ''] ?? Number.NaN);
  if (!(ms <= longestMs)) {
    throw new UsageError(`${JSON.stringify(text.slice(0, 100))} is no length of time`, { hint: 'such as 90m, 2h, 7d' });
  }
  return ms;
}
