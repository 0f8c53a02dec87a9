import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defang } from './defang.ts';
import { extractCounted, extractIndicators } from './extract.ts';
import { indicatorKinds } from './kinds/index.ts';
import { indicatorTypes } from './types.ts';

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);

/** Text made of what indicators are made of. */
const pieces = fc.constantFrom(
  ...[
    'http://',
    'hxxp',
    '[.]',
    '(dot)',
    '.',
    '..',
    '@',
    '[at]',
    ' at ',
    ' dot ',
    'evil',
    'com',
    'pl',
    'py',
    ':',
    '/',
    '\\',
    '\\\\',
    'C:\\',
    '%TEMP%\\',
  ],
  ...[
    'HKLM\\',
    'Software\\',
    'a b',
    ' ',
    '\n',
    '"',
    "'",
    '(',
    ')',
    '[',
    ']',
    '203.0.114.7',
    '::',
    'fe80',
    '0x',
    'deadbeef',
    '-',
    '_',
    ',',
    ';',
    '中',
    'é',
    '\0',
    '\ud800',
  ],
  ...[
    '%41',
    '%3a%2f%2f',
    '&amp;',
    'mutex: ',
    'Global\\',
    'schtasks /tn ',
    'Mozilla/5.0 ',
    '-----BEGIN PRIVATE KEY-----',
    '/tmp/',
    '.exe',
    'port 4444',
    'CVE-2020-1234',
    'T1059',
    '$env:',
    '~',
  ],
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

describe('extractIndicators', () => {
  it('has an entry for each type', () => {
    expect(indicatorKinds.map(({ type }) => type).toSorted()).toEqual([...indicatorTypes].toSorted());
    expect(indicatorTypes.length).toBeGreaterThan(25);
  });

  it('reports nothing that does not stand in the text, whatever the text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { value, original, context, confidence } of extractIndicators(text, { includeNoise: true })
          .indicators) {
          expect(text).toContain(original ?? value);
          expect(text).toContain(context);
          expect(context.length).toBeLessThanOrEqual(120);
          expect(confidence >= 0 && confidence <= 1).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  it('finds the same in whatever order texts follow each other', () => {
    const keys = (text: string): readonly string[] =>
      extractIndicators(text, { includeNoise: true })
        .indicators.map(({ type, value, noise }) => `${type} ${value.toLowerCase()} ${noise === undefined}`)
        .toSorted();
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        expect(keys(`${left}\n\n"\n${right}`)).toEqual(keys(`${right}\n\n"\n${left}`));
      }),
      { numRuns: runs },
    );
  });

  it('reads again what was made unclickable', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { type, value } of extractIndicators(text, { types: ['url', 'domain', 'ipv4', 'email', 'onion'] })
          .indicators) {
          const again = extractIndicators(`connect to ${defang(value, type)}`, { includeNoise: true, types: [type] });
          expect(again.indicators.map((indicator) => indicator.value)).toContain(value);
        }
      }),
      { numRuns: runs },
    );
  });

  it('leaves out the hashes of the sample itself', () => {
    const text = 'F34D5F2D4577ED6D9CEEC516C1F5A744 e34d5f2d4577ed6d9ceec516c1f5a744';
    const { indicators } = extractIndicators(text, { ownHashes: ['f34d5f2d4577ed6d9ceec516c1f5a744'] });
    expect(indicators.map(({ value }) => value)).toEqual(['e34d5f2d4577ed6d9ceec516c1f5a744']);
  });

  it('counts, and names the texts a thing was seen in', () => {
    const { indicators } = extractIndicators([
      { label: 'one', text: 'evil.com evil.com' },
      { label: 'two', text: 'EVIL.com' },
    ]);
    expect(indicators).toEqual([
      {
        type: 'domain',
        value: 'evil.com',
        confidence: 0.5,
        count: 3,
        sources: ['one', 'two'],
        context: 'evil.com evil.com',
      },
    ]);
  });

  it('gives pages, and tells the totals on each', () => {
    const text = Array.from({ length: 25 }, (_, index) => `host${index}.evil.com`).join(' ');
    const first = extractIndicators(text, { limit: 10 });
    const last = extractIndicators(text, { limit: 10, offset: 20 });
    expect([first.indicators.length, first.nextOffset, first.totals.domain]).toEqual([
      10,
      10,
      { total: 25, noise: 0, shown: 10, dropped: 0 },
    ]);
    expect([last.indicators.length, last.nextOffset, last.total]).toEqual([5, undefined, 25]);
    expect(() => extractIndicators('', { limit: 0 })).toThrow('limit');
    expect(() => extractIndicators('', { offset: -1 })).toThrow('offset');
  });

  it('keeps a bounded number of values, and says how many were dropped', () => {
    const text = Array.from({ length: 10_050 }, (_, index) => `h${index}.evil.com`).join('\n');
    const { totals, notes } = extractIndicators(text);
    expect(totals.domain).toMatchObject({ total: 10_000, dropped: 50 });
    expect(notes.join()).toContain('50 sightings');
  });

  it('asks now and then whether there is time left', () => {
    expect(() =>
      extractIndicators('a.b '.repeat(5000), {
        tick: () => {
          throw new Error('time is up');
        },
      }),
    ).toThrow('time is up');
  });

  it('weighs what carries a checksum by it', () => {
    const of = (text: string): number | undefined => extractIndicators(text).indicators[0]?.confidence;
    expect(of('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(0.95);
    expect(of('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(0.6);
    expect(of('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(0.3);
    expect(of('duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion')).toBe(0.95);
    expect(of('duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczax.onion')).toBe(0.5);
  });

  const hostile = [
    'System.IO.File.',
    'ab.cd.',
    'a@',
    'a.b@',
    'http://',
    'http://a.pl/',
    'C:\\',
    'C:\\a b ',
    '%ab%\\',
    '\\\\ab\\',
    'HKLM\\a b ',
    ' /tmp/',
    '.',
    ' ',
    ':',
    '%41%41',
    'fe:',
    'a[.]',
    'deadbeef',
    '/tmp/a',
  ];
  it.each(hostile)('takes twice the steps for twice the text of %j', (piece) => {
    const once = extractCounted(piece.repeat(2000)).steps;
    const twice = extractCounted(piece.repeat(4000)).steps;
    expect(twice / once).toBeLessThan(2.2);
    expect(once / (piece.length * 2000)).toBeLessThan(400);
  });

  it('reads no domain out of a run that is longer than any', () => {
    const { indicators, notes } = extractIndicators('ab.cd.'.repeat(1000));
    expect(indicators).toEqual([]);
    expect(notes.join()).toContain('longer than any');
  });

  it('finds what stands at the end of a long run', () => {
    expect(extractIndicators(`${'A'.repeat(100_000)}http://evil.com/x`).indicators.map(({ value }) => value)).toEqual([
      'http://evil.com/x',
      'evil.com',
    ]);
  });
});
