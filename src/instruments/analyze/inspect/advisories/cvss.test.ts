import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseScore, severityOfScore, severityOfWord } from './cvss.ts';

describe('base scores', () => {
  it.each<[string, number | undefined]>([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 7.5],
    ['CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:H', 5.9],
    ['CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.8],
    ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
    ['CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.6],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', 5.3],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:P/RL:O', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H', undefined],
    ['CVSS:3.1/AV:N/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
    ['CVSS:3.1/AV:constructor/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', undefined],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', undefined],
    ['', undefined],
  ])('%s', (vector, score) => {
    expect(baseScore(vector)).toBe(score);
  });

  it('is a number from 0 to 10 in tenths, or nothing, for any text', () => {
    const pick = (...values: string[]) => fc.constantFrom(...values);
    const vector = fc
      .tuple(
        pick('N', 'A', 'L', 'P'),
        pick('L', 'H'),
        pick('N', 'L', 'H'),
        pick('N', 'R'),
        pick('U', 'C'),
        pick('H', 'L', 'N'),
        pick('H', 'L', 'N'),
        pick('H', 'L', 'N'),
      )
      .map(
        ([av, ac, pr, ui, s, c, i, a]) => `CVSS:3.1/AV:${av}/AC:${ac}/PR:${pr}/UI:${ui}/S:${s}/C:${c}/I:${i}/A:${a}`,
      );
    fc.assert(
      fc.property(vector, (text) => {
        const score = baseScore(text) ?? -1;
        expect(score >= 0 && score <= 10 && Number.isInteger(Math.round(score * 1e6) / 1e5)).toBe(true);
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(baseScore(`CVSS:3.1/${text}`)).toBeUndefined();
      }),
    );
  });

  it('has words for scores and scores for words', () => {
    expect([0, 0.1, 3.9, 4, 6.9, 7, 8.9, 9, 10].map(severityOfScore)).toEqual([
      'info',
      'low',
      'low',
      'medium',
      'medium',
      'high',
      'high',
      'critical',
      'critical',
    ]);
    expect(['MODERATE', 'High', 'constructor', 7].map(severityOfWord)).toEqual([
      'medium',
      'high',
      undefined,
      undefined,
    ]);
  });
});
