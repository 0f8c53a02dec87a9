import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileArguments, hostileArgumentsScope } from '../../../../test/samples/probe/hostile-arguments.ts';
import { UsageError } from '../../../base/errors.ts';
import { makeScope } from '../scope/load.ts';
import { allowsAddress, decideReach } from '../scope/reach.ts';
import { objectToRequest } from '../scope/request.ts';
import { aimMeans } from './means.ts';

const runs = { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) };

const { urls: _, ...withoutUrls } = hostileArgumentsScope;
const usual = { environment: {}, resolve: async () => ['9.9.9.9', '10.0.0.5'], now: 0 };
const withUrls = await makeScope(JSON.stringify(hostileArgumentsScope), 'x', usual);
const wide = await makeScope(
  JSON.stringify({ ...withoutUrls, targets: [...withoutUrls.targets, '10.0.0.5', 'api.example.com'] }),
  'x',
  usual,
);

/** Null when it was refused as it should be. */
function taken<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Any characters, also halves of them. The unit `binary` of fast-check would be the same and takes seconds to build. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff })), { maxLength: 40 })
  .map((codes) => String.fromCodePoint(...codes));

const hostile = hostileArguments.map(({ text }) => text).filter((text) => text.length < 200);
const odd = fc.constantFrom(
  '@',
  '\\',
  '#',
  '?',
  '/',
  ':',
  '%2e',
  '%2f',
  '..',
  ';',
  '\n',
  '[',
  ']',
  'FUZZ',
  '%',
  '。',
  '0',
);
/** Good pieces and bad ones, so that what is taken is not always the same. */
const pieces = (good: readonly string[]) =>
  fc
    .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: odd }), {
      maxLength: 8,
    })
    .map((list) => list.join(''));
const path = pieces(['/', '/v1', 'a', '?', '=', '&', "'", '%20', '.', '~', '(', 'v1/']);
const origins = [
  'http://127.0.0.1:8000/v1',
  'http://127.0.0.1:8080',
  'http://[::1]:8080/',
  'http://192.0.2.7',
  'HTTP://8.8.8.8/',
];
const schemes = ['http://', 'https://', 'HTTP://', 'http:/', 'ftp://'];
const hosts = ['127.0.0.1', '[::1]', '192.0.2.9', 'api.example.com', '8.8.8.8', '10.0.0.5', '127.0.0.2', '127.1'];
const ports = ['', ':80', ':8080', ':8000', ':443', ':22', ':', ':080'];
const joined = (...parts: readonly fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(''));
const urlText = fc.oneof(
  { weight: 4, arbitrary: joined(fc.constantFrom(...origins), path) },
  {
    weight: 4,
    arbitrary: joined(fc.constantFrom(...schemes), fc.constantFrom(...hosts), fc.constantFrom(...ports), path),
  },
  fc.constantFrom(...hostile),
  fc.tuple(fc.constantFrom(...hostile), odd, fc.nat()).map(([text, noise, at]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + noise + text.slice(place);
  }),
  anyText,
);

/** A second reader of URLs, by the expression of RFC 3986, appendix B. */
function readPlainly(url: string) {
  const [, , scheme, , authority = '', path, , query, , fragment] =
    /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/.exec(url) ?? [];
  return { scheme, authority, path, query, fragment };
}

describe('whatever is given', () => {
  it.each([
    ['with URLs', withUrls],
    ['without', wide],
  ])('a URL that is taken is read alike by all, and lies in the scope %s', (_name, scope) => {
    const means = aimMeans(scope);
    let count = 0;
    fc.assert(
      fc.property(urlText, (text) => {
        const aim = taken(() => means.url(text));
        if (aim === null) return;
        count += 1;
        const { hostname, port, protocol, username, password, hash, pathname } = new URL(aim.url ?? '');
        const host = aim.host.includes(':') ? `[${aim.host}]` : aim.host;
        const number = aim.ports[0]?.from ?? 0;
        expect([hostname, username, password, hash]).toEqual([host, '', '', '']);
        expect(Number(port || (protocol === 'https:' ? 443 : 80))).toBe(number);
        expect(new URL(text).href).toBe(aim.url);
        const plain = readPlainly(aim.url ?? '');
        expect(plain.authority).toBe(port === '' ? host : `${host}:${port}`);
        expect(plain.path).toBe(pathname);
        expect(aim.addresses.length).toBeGreaterThan(0);
        for (const address of aim.addresses) {
          expect(allowsAddress(scope, address)).toBe(true);
          expect(decideReach(scope, address, number)).toEqual({ is: 'allowed' });
        }
        const scheme = protocol === 'https:' ? 'https' : 'http';
        const request = {
          scheme,
          host: aim.host,
          port: number,
          method: 'GET',
          paths: [pathname, decodeURI(pathname)],
        } as const;
        expect(objectToRequest(scope, request)).toBeNull();
      }),
      runs,
    );
    expect(count).toBeGreaterThan(runs.numRuns / 20);
  });

  it('with a marker, every harmless word stays in the scope', () => {
    const means = aimMeans(withUrls);
    let count = 0;
    const word = fc.stringMatching(/^[a-z0-9._-]{1,6}$/).filter((text) => !/^\.+$/.test(text));
    fc.assert(
      fc.property(urlText, fc.nat(), word, (text, at, tried) => {
        const place = text.length - (at % (Math.min(text.length, 8) + 1));
        const aim = taken(() => means.url(`${text.slice(0, place)}FUZZ${text.slice(place)}`, { marker: 'FUZZ' }));
        if (aim === null) return;
        count += 1;
        expect(taken(() => means.url((aim.url ?? '').replace('FUZZ', tried)))).not.toBeNull();
      }),
      runs,
    );
    expect(count).toBeGreaterThan(runs.numRuns / 50);
  });

  it('ports that are taken are ports of the scope, in order and apart', () => {
    const text = fc.oneof(
      fc
        .array(
          fc.oneof(
            fc.integer({ min: 0, max: 70_000 }).map(String),
            fc.constantFrom('80', '443', '8000-8100', '-', '', '80-'),
          ),
          { maxLength: 6 },
        )
        .map((parts) => parts.join(',')),
      fc.constantFrom(...hostile),
      fc.string({ unit: fc.constantFrom(...'0123456789,- '), maxLength: 20 }),
    );
    const means = aimMeans(wide);
    fc.assert(
      fc.property(text, (given) => {
        for (const ranges of [taken(() => means.ports(given)), taken(() => means.portsWithin(given))]) {
          let last = -1;
          for (const { from, to } of ranges ?? []) {
            expect(from).toBeGreaterThan(last + 1);
            expect(to).toBeGreaterThanOrEqual(from);
            last = to;
            for (const port of [from, to]) expect(decideReach(wide, '127.0.0.1', port)).toEqual({ is: 'allowed' });
          }
          expect(last).toBeLessThanOrEqual(65_535);
        }
      }),
      runs,
    );
  });

  it('a target that is taken is in the scope', () => {
    const means = aimMeans(wide);
    const text = fc.oneof(fc.constantFrom(...hostile), fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.domain(), anyText);
    fc.assert(
      fc.property(text, (given) => {
        const aim = taken(() => means.target(given));
        if (aim === null) return;
        expect(aim.host).toBe(given);
        for (const address of aim.addresses) expect(allowsAddress(wide, address)).toBe(true);
      }),
      runs,
    );
  });
});
