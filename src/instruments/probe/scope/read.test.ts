import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { readScope } from './read.ts';
import { scopeJsonSchema, scopeSchema } from './schema.ts';

const authorization = { by: 'the owner', reference: 'letter 7' };
const least = { targets: ['127.0.0.1'], authorization };
const full = {
  $schema: 'https://example.com/scope.json',
  version: 1,
  name: 'Shop',
  targets: [
    '127.0.0.1',
    '10.0.0.0/24',
    '2001:db8::/32',
    '::1',
    'api.example.com',
    'xn--bcher-kva.example',
    'a_b',
    '8.8.8.8/32',
  ],
  ports: [80, '443', '8000-8100'],
  urls: ['https://api.example.com/v1', 'http://10.0.0.7:8080', 'http://[::1]:80/'],
  methods: ['GET', 'PROPFIND'],
  rate: { requestsPerSecond: 5, connectionsPerSecond: 10 },
  concurrency: { scans: 1, perTarget: 1, connections: 3 },
  window: { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin', days: ['mon', 'fri'] },
  notBefore: '2026-11-01T00:00:00Z',
  expires: '2026-12-01T00:00:00+01:00',
  authorization: { ...authorization, at: '2026-10-31', statement: 'You may.\nAt night.' },
  credentials: [{ name: 'user', header: 'Authorization', variable: 'SHOP_TOKEN' }],
};

/** Any characters, also halves of them. The unit `binary` of fast-check would be the same and takes seconds to build. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff })), { maxLength: 40 })
  .map((codes) => String.fromCodePoint(...codes));

function refusal(text: string): string {
  try {
    readScope(text, 'scope.json');
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  throw new Error('it was taken');
}

describe('readScope', () => {
  it('takes the least and the fullest', () => {
    expect(readScope(JSON.stringify(least), 'x')).toEqual(least);
    const { $schema: _, ...rest } = full;
    expect(readScope(JSON.stringify(full), 'x')).toEqual(rest);
  });

  it.each<[object, RegExp]>([
    [{ target: ['127.0.0.1'], authorization }, /target: there is no such field; did you mean "targets"\?/],
    [{ ...least, rate: { requestPerSecond: 1 } }, /rate\.requestPerSecond: .*"requestsPerSecond"/],
    [{ ...least, window: { form: '1' } }, /window\.form: .*"from"/],
    [{ ...least, credentials: [{ nane: 'x' }] }, /credentials\[0\]\.nane: .*"name"/],
    [
      { ...least, authorization: { ...authorization, xyzzy: 1 } },
      /authorization\.xyzzy: .*known are by, reference, at, statement/,
    ],
    [{ authorization }, /targets: expected a list, found nothing/],
    [{ targets: ['127.0.0.1'] }, /authorization: expected an object, found nothing/],
    [{ ...least, authorization: { by: 'x' } }, /authorization\.reference: expected text, found nothing/],
    [{ ...least, authorization: { by: '  ', reference: 'x' } }, /authorization\.by: expected text that is not blank/],
    [{ ...least, authorization: { by: 'a\nb', reference: 'x' } }, /authorization\.by: expected text on one line/],
    [{ ...least, authorization: { ...authorization, at: 'soon' } }, /authorization\.at: expected a date/],
    [{ ...least, version: 2 }, /version: expected 1, found 2/],
    [{ ...least, targets: [] }, /targets: expected at least 1 items/],
    [{ ...least, targets: Array.from({ length: 1001 }, (_, at) => `a${at}`) }, /targets: expected at most 1000 items/],
    [{ ...least, targets: [7] }, /targets\[0\]: expected text, found 7/],
    [
      { ...least, targets: ['10.0.0.1/24'] },
      /targets\[0\]: "10\.0\.0\.1\/24": its address is not the first.*write 10\.0\.0\.0\/24/,
    ],
    [{ ...least, targets: ['2001:db8::1/32'] }, /write 2001:db8::\/32/],
    [{ ...least, targets: ['2001:DB8::/32'] }, /one spelling of its range; write 2001:db8::\/32/],
    [{ ...least, targets: ['10.0.0.0/33'] }, /no range of addresses/],
    [{ ...least, targets: ['10.0.0.0/08'] }, /no range of addresses/],
    [{ ...least, targets: ['10.0.0.0/'] }, /no range of addresses/],
    [{ ...least, targets: ['10.0.0/24'] }, /no range of addresses/],
    [{ ...least, targets: ['::ffff:10.0.0.1'] }, /inside of an IPv6 one\. Write it as 10\.0\.0\.1\./],
    [{ ...least, targets: ['::ffff:10.0.0.0/120'] }, /inside of IPv6 ones; write it as 10\.0\.0\.0\/24/],
    [{ ...least, targets: ['64:ff9b::a00:1/128'] }, /write it as 10\.0\.0\.1/],
    [{ ...least, targets: ['2002::/16'] }, /write it as a range of IPv4/],
    [{ ...least, targets: ['0.0.0.0'] }, /no address of a machine; write 127\.0\.0\.1/],
    [{ ...least, targets: ['::'] }, /no address of a machine/],
    [{ ...least, targets: ['0.0.0.0/8'] }, /no address of a machine/],
    [{ ...least, targets: ['Example.com'] }, /capital letters\. Write it as example\.com\./],
    [{ ...least, targets: ['bücher.example'] }, /beyond ASCII\. In ASCII it is xn--bcher-kva\.example\./],
    [{ ...least, targets: ['１.２.３.４'] }, /beyond ASCII\. In ASCII it is 1\.2\.3\.4\./],
    [{ ...least, targets: ['*.example.com'] }, /wildcard/],
    [{ ...least, targets: ['https://a.example'] }, /URL and not a host/],
    [{ ...least, targets: ['a.example:80'] }, /port/],
    [{ ...least, targets: ['0177.0.0.1'] }, /leading zeros/],
    [{ ...least, targets: ['a.example', 'a.example'] }, /targets\[1\]: "a\.example" stands there twice/],
    [{ ...least, ports: ['80-'] }, /ports\[0\]: expected a port such as 80/],
    [{ ...least, ports: [0] }, /ports\[0\]: expected at least 1, found 0/],
    [{ ...least, ports: [true] }, /ports\[0\]: expected a port such as 80/],
    [{ ...least, ports: [65_536] }, /ports\[0\]: expected at most 65535/],
    [{ ...least, ports: ['70000'] }, /ports\[0\]: "70000": ports end at 65535/],
    [{ ...least, ports: ['90-80'] }, /ports\[0\]: "90-80": a range runs backwards/],
    [{ ...least, ports: [] }, /ports: expected at least 1 items/],
    [{ ...least, urls: ['ftp://127.0.0.1/'] }, /urls\[0\]: .*neither http/],
    [{ ...least, urls: ['http://127.0.0.2/'] }, /urls\[0\]: .*add "127\.0\.0\.2" to them/],
    [{ ...least, urls: ['http://127.0.0.1/?a'] }, /no query/],
    [{ ...least, urls: ['http://127.0.0.1/../'] }, /dot segment/],
    [{ ...least, ports: [81], urls: ['http://127.0.0.1/'] }, /port 80 is not among the ports/],
    [{ ...least, targets: ['0.0.0.0/0'], urls: ['http://10.0.0.1/'] }, /not among the targets/],
    [{ ...least, methods: ['get'] }, /methods\[0\]: expected a method in capital letters/],
    [{ ...least, methods: ['CONNECT'] }, /methods\[0\]: CONNECT leads past/],
    [{ ...least, rate: { requestsPerSecond: 0 } }, /rate\.requestsPerSecond: expected at least 1, found 0/],
    [{ ...least, rate: { requestsPerSecond: 1.5 } }, /rate\.requestsPerSecond: expected a whole number/],
    [{ ...least, concurrency: { scans: 1e9 } }, /concurrency\.scans: expected at most 64/],
    [
      { ...least, window: { from: '9:00', to: '17:00' } },
      /window\.from: expected a time of day such as 22:00, found "9:00"/,
    ],
    [{ ...least, window: { from: '24:00', to: '17:00' } }, /window\.from/],
    [{ ...least, window: { from: '09:00', to: '09:00' } }, /window: it opens when it closes/],
    [
      { ...least, window: { from: '09:00', to: '17:00', timeZone: 'Europe/Berlim' } },
      /window\.timeZone: .*did you mean "Europe\/Berlin"/,
    ],
    [
      { ...least, window: { from: '09:00', to: '17:00', timeZone: '+02:00' } },
      /window\.timeZone: expected a time zone/,
    ],
    [
      { ...least, window: { from: '09:00', to: '17:00', days: ['monday'] } },
      /window\.days\[0\]: expected one of "mon"/,
    ],
    [{ ...least, expires: '2026-12-01' }, /expires: expected a time with its offset/],
    [{ ...least, expires: '2026-12-01T00:00:00' }, /expires: expected a time with its offset/],
    [{ ...least, expires: '2026-02-30T00:00:00Z' }, /expires: /],
    [
      { ...least, notBefore: '2026-12-01T00:00:00Z', expires: '2026-12-01T00:00:00+01:00' },
      /expires: it expires before it begins/,
    ],
    [
      { ...least, credentials: [{ name: 'a', header: 'Host', variable: 'A' }] },
      /credentials\[0\]\.header: Host says how/,
    ],
    [{ ...least, credentials: [{ name: 'a', header: 'content-LENGTH', variable: 'A' }] }, /credentials\[0\]\.header/],
    [{ ...least, credentials: [{ name: 'a', header: 'X: y', variable: 'A' }] }, /expected the name of a header/],
    [
      { ...least, credentials: [{ name: 'a', header: 'X', value: 'secret' }] },
      /credentials\[0\]\.value: there is no such field/,
    ],
    [
      { ...least, credentials: ['a', 'a'].map((name) => ({ name, header: 'X', variable: 'A' })) },
      /credentials\[1\]: "a" stands there twice/,
    ],
  ])('%j', (value, reason) => {
    const message = refusal(JSON.stringify(value));
    expect(message).toMatch(reason);
    expect(message).toMatch(/^"scope.json" is not a scope:\n {2}/);
  });

  it('tells all faults at once', () => {
    const message = refusal(JSON.stringify({ ...least, targets: ['A', '10.0.0.1/8', '127.1'], methods: ['CONNECT'] }));
    expect(message.split('\n')).toHaveLength(5);
  });

  it.each<[string, RegExp]>([
    ['', /not JSON: line 1, column 1: expected a value, found the end/],
    ['{\n  "targets": [],\n}', /not JSON: line 3, column 1/],
    ['{"targets":["127.0.0.1"],"targets":["8.8.8.8"]}', /the key "targets" stands twice/],
    ['[]', /the scope: expected an object, found a list/],
    ['null', /the scope: expected an object/],
    ['{"__proto__":{"targets":["127.0.0.1"]}}', /targets: expected a list, found nothing/],
    [`"${'a'.repeat(2 ** 20)}"`, /larger than 1048576 bytes/],
    ['['.repeat(100_000), /nested deeper/],
  ])('%.60s', (text, reason) => {
    expect(refusal(text)).toMatch(reason);
  });

  it('throws nothing but UsageErrors, short and visible', () => {
    const word = fc.constantFrom(
      ...full.targets,
      ...full.urls,
      'GET',
      '80-',
      '22:00',
      '\u001b[2J',
      '\u202e',
      '2026-11-01T00:00:00Z',
      'Host',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, word, anyText, fc.double(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 4 }),
      object: fc.dictionary(
        fc.oneof(fc.constantFrom(...Object.keys(full), 'by', 'from', 'header'), fc.string()),
        tie('any'),
        { maxKeys: 5 },
      ),
    }));
    const changed = fc
      .tuple(fc.constantFrom(...Object.keys(full)), value.any)
      .map(([key, inner]) => JSON.stringify({ ...full, [key]: inner }));
    const text = fc.oneof(
      anyText,
      fc.json(),
      value.any.map((any) => JSON.stringify(any)),
      changed,
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(scopeSchema.safeParse(readScope(given, 'x')).success).toBe(true);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          expect(error.message.length).toBeLessThan(20_000);
          expect(error.message).not.toMatch(/[^\P{C}\n]/u);
        }
      }),
      { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) },
    );
  });
});

describe('the schema for editors', () => {
  it('is a closed JSON Schema in which every text has an end', () => {
    const schema = scopeJsonSchema();
    expect(schema).toMatchObject({
      title: 'Hotcell scope',
      additionalProperties: false,
      required: ['targets', 'authorization'],
    });
    const open: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, maxLength, format, enum: choices } = node as Record<string, unknown>;
      const isBounded = [maxLength, format, choices].some((bound) => bound !== undefined);
      if (type === 'string' && !isBounded) open.push(path);
      for (const [key, inner] of Object.entries(node)) visit(inner, `${path}.${key}`);
    };
    visit(schema, '');
    expect(open).toEqual([]);
  });
});
