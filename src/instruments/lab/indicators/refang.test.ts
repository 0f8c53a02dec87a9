import { describe, expect, it } from 'vitest';
import { defang } from './defang.ts';
import { found } from './expectations.ts';
import { extractIndicators } from './extract.ts';
import { refang } from './refang.ts';

const dots = [
  '[.]',
  '(.)',
  '{.}',
  '[dot]',
  '(dot)',
  '{dot}',
  '[DOT]',
  ' [.] ',
  ' (dot) ',
  '[.',
  '.]',
  '\\.',
  '<dot>',
  '&#46;',
  ' dot ',
];
const ats = ['@', '[@]', '(@)', '[at]', '(at)', '{at}', ' [at] ', ' (at) ', '[AT]'];
const schemes = [
  'http://',
  'hxxp://',
  'hXXp://',
  'h**p://',
  'h__p://',
  'hxtp://',
  'meow://',
  'hxxp[:]//',
  'hxxp[://]',
  'hxxp(:)//',
  'http[:]//',
  'http:\\\\',
  'hxxp:\\/\\/',
  'hxxp:[//]',
];

describe('refang', () => {
  it.each(dots)('a domain with %j for a dot', (dot) => {
    expect(found(`see evil${dot}com now`)).toEqual(['domain evil.com']);
  });

  it.each(ats.flatMap((at) => ['[.]', '.', '(dot)'].map((dot) => [at, dot] as const)))(
    'an address with %j and %j',
    (at, dot) => {
      expect(found(`mail bob${at}evil${dot}com now`)).toEqual(['domain evil.com', 'email bob@evil.com']);
    },
  );

  it.each(schemes.flatMap((scheme) => ['[.]', '.'].map((dot) => [scheme, dot] as const)))(
    'a URL with %j and %j',
    (scheme, dot) => {
      expect(found(`at ${scheme}evil${dot}com/x.php today`)).toEqual(['domain evil.com', 'url http://evil.com/x.php']);
    },
  );

  it.each([
    ['hxxps://evil[.]com', ['domain evil.com', 'url https://evil.com']],
    ['fxp://evil[.]com/x', ['domain evil.com', 'url ftp://evil.com/x']],
    ['203[.]0[.]114[.]7', ['ipv4 203.0.114.7']],
    ['203[.]0.114[.]7[:]4444', ['ipv4 203.0.114.7', 'network_port 4444']],
    ['hxxp://203[.]0[.]114[.]7[:]81/x', ['ipv4 203.0.114.7', 'network_port 81', 'url http://203.0.114.7:81/x']],
    ['bob at evil dot com', ['email bob@evil.com', 'domain evil.com']],
    ['evil。com', ['domain evil.com']],
    ['look at the dot here', []],
    ['a (at) home', []],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual([...expected].toSorted());
  });

  it('knows where in the old text a thing stood', () => {
    const text = 'x hxxp://a[.]evil[.]com/y and z';
    const [url] = extractIndicators(text).indicators;
    expect(url).toMatchObject({ value: 'http://a.evil.com/y', original: 'hxxp://a[.]evil[.]com/y', context: text });
  });

  it('maps every place', () => {
    const { text, startOf, endOf } = refang('ab[.]cd ef(dot)gh');
    expect(text).toBe('ab.cd ef.gh');
    expect([startOf(0), startOf(2), startOf(3), startOf(6), endOf(3), endOf(5), endOf(11)]).toEqual([
      0, 2, 5, 8, 5, 7, 17,
    ]);
  });
});

describe('defang', () => {
  it.each([
    ['url', 'https://evil.com/a.b?c=d.e', 'hxxps://evil[.]com/a.b?c=d.e'],
    ['url', 'http://u:p@203.0.114.7:81/x', 'hxxp://u:p@203[.]0[.]114[.]7:81/x'],
    ['url', 'ftp://evil.com/x', 'fxp://evil[.]com/x'],
    ['domain', 'a.evil.com', 'a[.]evil[.]com'],
    ['ipv4', '203.0.114.7', '203[.]0[.]114[.]7'],
    ['email', 'bob@evil.com', 'bob[@]evil[.]com'],
    ['md5', 'f34d5f2d4577ed6d9ceec516c1f5a744', 'f34d5f2d4577ed6d9ceec516c1f5a744'],
  ] as const)('%s %s', (type, value, expected) => {
    expect(defang(value, type)).toBe(expected);
    expect(found(expected)).toContain(`${type} ${value}`);
  });
});
