import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../base/limits.ts';
import { type ScopeWindow, weekDays } from './schema.ts';
import { endsAt, objectToTime } from './time.ts';

const at = (text: string): number => Date.parse(text);
const scopeWith = (document: Parameters<typeof objectToTime>[0]['document']) => ({ document });
const withWindow = (window: ScopeWindow) => scopeWith({ window });
const night = withWindow({ from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' });

describe('beginning and end', () => {
  const scope = scopeWith({ notBefore: '2026-11-01T00:00:00+01:00', expires: '2026-12-01T00:00:00Z' });
  it.each([
    ['2026-10-31T22:59:59Z', 'the scope begins at 2026-11-01T00:00:00+01:00'],
    ['2026-10-31T23:00:00Z', null],
    ['2026-11-30T23:59:59Z', null],
    ['2026-12-01T00:00:00Z', 'the scope expired at 2026-12-01T00:00:00Z'],
  ])('%s', (now, objection) => {
    expect(objectToTime(scope, at(now))).toBe(objection);
    expect(endsAt(scope, at(now))).toBe(objection === null ? at('2026-12-01T00:00:00Z') : at(now));
  });

  it('a scope without times is always open', () => {
    expect(objectToTime(scopeWith({}), 0)).toBeNull();
    expect(endsAt(scopeWith({}), 0)).toBeNull();
  });

  it('a time that is not known is no time to scan', () => {
    expect(objectToTime(scopeWith({}), Number.NaN)).toBe('the time is not known');
  });
});

describe('windows', () => {
  it.each<[string, ScopeWindow, string, string | null]>([
    ['a day', { from: '09:00', to: '17:00' }, '2026-11-16T09:00:00Z', '2026-11-16T17:00:00Z'],
    ['the last moment', { from: '09:00', to: '17:00' }, '2026-11-16T16:59:59.999Z', '2026-11-16T17:00:00Z'],
    ['over midnight', { from: '22:00', to: '06:00' }, '2026-11-16T23:30:00Z', '2026-11-17T06:00:00Z'],
    ['after midnight', { from: '22:00', to: '06:00' }, '2026-11-17T05:59:00Z', '2026-11-17T06:00:00Z'],
    [
      'another zone',
      { from: '09:00', to: '17:00', timeZone: 'Asia/Kathmandu' },
      '2026-11-16T03:15:00Z',
      '2026-11-16T11:15:00Z',
    ],
    ['the shortest break', { from: '00:00', to: '23:59' }, '2026-11-16T00:00:00Z', '2026-11-16T23:59:00Z'],
    ['all the time', { from: '00:00', to: '24:00' }, '2026-11-16T00:00:00Z', null],
    [
      'working days',
      { from: '00:00', to: '24:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      '2026-11-16T08:00:00Z',
      '2026-11-21T00:00:00Z',
    ],
    [
      'the night that began on Friday',
      { from: '22:00', to: '06:00', days: ['fri'] },
      '2026-11-21T05:00:00Z',
      '2026-11-21T06:00:00Z',
    ],
    [
      'clocks go forward in the night',
      { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' },
      '2026-03-28T21:00:00Z',
      '2026-03-29T04:00:00Z',
    ],
    [
      'clocks go back in the night',
      { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' },
      '2026-10-24T20:00:00Z',
      '2026-10-25T05:00:00Z',
    ],
    [
      'its end is skipped',
      { from: '01:30', to: '02:30', timeZone: 'Europe/Berlin' },
      '2026-03-29T00:45:00Z',
      '2026-03-29T01:00:00Z',
    ],
    [
      'its end comes twice, the first',
      { from: '01:00', to: '02:30', timeZone: 'Europe/Berlin' },
      '2026-10-25T00:10:00Z',
      '2026-10-25T00:30:00Z',
    ],
    [
      'its end comes twice, the second',
      { from: '01:00', to: '02:30', timeZone: 'Europe/Berlin' },
      '2026-10-25T01:10:00Z',
      '2026-10-25T01:30:00Z',
    ],
    [
      'half an hour of change',
      { from: '01:00', to: '03:00', timeZone: 'Australia/Lord_Howe' },
      '2026-10-03T14:45:00Z',
      '2026-10-03T16:00:00Z',
    ],
  ])('%s: open', (_name, window, now, end) => {
    expect(objectToTime(withWindow(window), at(now))).toBeNull();
    expect(endsAt(withWindow(window), at(now))).toBe(end === null ? null : at(end));
  });

  it.each<[string, ScopeWindow, string]>([
    ['before', { from: '09:00', to: '17:00' }, '2026-11-16T08:59:59.999Z'],
    ['after', { from: '09:00', to: '17:00' }, '2026-11-16T17:00:00Z'],
    ['by day', { from: '22:00', to: '06:00' }, '2026-11-16T12:00:00Z'],
    ['the wrong day', { from: '09:00', to: '17:00', days: ['sun'] }, '2026-11-16T10:00:00Z'],
    ['the night before Friday', { from: '22:00', to: '06:00', days: ['fri'] }, '2026-11-20T05:00:00Z'],
    ['the night after', { from: '22:00', to: '06:00', days: ['fri'] }, '2026-11-21T22:30:00Z'],
    ['an hour that is skipped', { from: '02:00', to: '03:00', timeZone: 'Europe/Berlin' }, '2026-03-29T01:00:00Z'],
    ['between its two ends', { from: '01:00', to: '02:30', timeZone: 'Europe/Berlin' }, '2026-10-25T00:45:00Z'],
  ])('%s: closed', (_name, window, now) => {
    expect(objectToTime(withWindow(window), at(now))).toContain(`from ${window.from} to ${window.to}`);
    expect(endsAt(withWindow(window), at(now))).toBe(at(now));
  });

  it('ends at what comes first', () => {
    const early = scopeWith({ ...night.document, expires: '2026-11-16T23:00:00Z' });
    expect(endsAt(early, at('2026-11-16T22:00:00Z'))).toBe(at('2026-11-16T23:00:00Z'));
    const late = scopeWith({ ...night.document, expires: '2027-01-01T00:00:00Z' });
    expect(endsAt(late, at('2026-11-16T22:00:00Z'))).toBe(at('2026-11-17T05:00:00Z'));
  });

  it('is open until its end, and closed then, whatever the window', () => {
    const time = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(([hours, minutes]) => `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
    const window = fc.record({
      from: time,
      to: time,
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'),
      days: fc.subarray([...weekDays], { minLength: 1 }),
    });
    // Around the days on which clocks change.
    const moment = fc.integer({ min: at('2026-03-26T00:00:00Z'), max: at('2026-04-08T00:00:00Z') });
    fc.assert(
      fc.property(
        window.filter(({ from, to }) => from !== to),
        moment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (given, now, share) => {
          const scope = withWindow(given);
          const end = endsAt(scope, now);
          if (end === null || end === now) return;
          expect(objectToTime(scope, end)).not.toBeNull();
          expect(objectToTime(scope, end - 1)).toBeNull();
          expect(objectToTime(scope, Math.floor(now + (end - 1 - now) * share))).toBeNull();
          expect(end - now).toBeLessThanOrEqual(9 * 24 * 60 * minuteMs);
        },
      ),
      { numRuns: Math.ceil(Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) / 3) },
    );
  });
});
