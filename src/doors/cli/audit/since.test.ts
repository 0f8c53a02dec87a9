import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { durationMs, sinceTime } from './since.ts';

const now = new Date('2026-05-03T12:00:00Z');

describe('sinceTime', () => {
  it.each([
    ['90s', '2026-05-03T11:58:30.000Z'],
    ['90m', '2026-05-03T10:30:00.000Z'],
    ['2h', '2026-05-03T10:00:00.000Z'],
    ['7d', '2026-04-26T12:00:00.000Z'],
    ['1w', '2026-04-26T12:00:00.000Z'],
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(sinceTime(text, now)).toBe(time);
  });

  it.each(['', '7', 'd', '7 d', '-7d', 'yesterday', '2026-13-45', '999999w', '1e9s', '05/03/2026'])(
    '%j is no time',
    (text) => {
      expect(() => sinceTime(text, now)).toThrow(UsageError);
    },
  );

  it('is a time or a UsageError, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,8}[smhdwy]?$/)), (text) => {
        try {
          expect(new Date(sinceTime(text, now)).getTime()).not.toBeNaN();
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
    );
  });
});

describe('durationMs', () => {
  it.each([
    ['1s', 1000],
    ['7d', 604_800_000],
    ['0d', 0],
  ])('%s is %d', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});
