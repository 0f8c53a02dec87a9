import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/fingerprint.ts';
import { buildBatch } from './batch.ts';
import { isCanonicalJson } from './canonical.ts';
import { instruments, type LedgerEntry, ledgerVerdicts } from './contract.ts';
import { writeDetails } from './details.ts';
import { prepareLine } from './entry.ts';
import { ledgerLimits } from './limits.ts';
import { isBadLine, readLine, readText, seemsToFollow } from './line.ts';
import { readPlain } from './plain-line.ts';
import { hashLeaf, noLeaf } from './tree.ts';

const entry: LedgerEntry = { instrument: 'guard', action: 'tool.call', verdict: 'allowed', session: 'one' };

function lineOf(some: LedgerEntry): string {
  return buildBatch([prepareLine(some)], noLeaf, 0)
    .bytes.toString('utf8')
    .slice(0, -1);
}

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
const anyEntry: fc.Arbitrary<LedgerEntry> = fc.record(
  {
    instrument: fc.constantFrom(...instruments),
    action: fc.constantFrom('tool.call', 'server.start', 'egress.refuse'),
    verdict: fc.constantFrom(...ledgerVerdicts),
    session: anyText,
    server: anyText,
    policy: anyText,
    rule: anyText,
    details: fc.dictionary(fc.string({ unit: 'binary', maxLength: 9 }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 6 }),
  },
  { requiredKeys: ['instrument', 'action', 'verdict', 'session'] },
);

describe('canonical JSON', () => {
  const isCanonical = (text: string): boolean => {
    try {
      return canonicalJson(JSON.parse(text)) === text;
    } catch {
      return false;
    }
  };

  it('is recognised exactly', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }),
        (value) => void expect(isCanonicalJson(canonicalJson(value), 64)).toBe(true),
      ),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom(...' {}[]",:0-+e.\\un1tr'),
        (value, place, character) => {
          const text = canonicalJson(value);
          const at = place % (text.length + 1);
          for (const changed of [
            text.slice(0, at) + character + text.slice(at),
            text.slice(0, at) + character + text.slice(at + 1),
            text.slice(0, at) + text.slice(at + 1),
          ]) {
            expect(isCanonicalJson(changed, 64), changed).toBe(isCanonical(changed));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{ "a":1}',
    '[1,2 ]',
    '-0',
    '1.0',
    '1e3',
    '01',
    '+1',
    '1e400',
    '12345678901234567890',
    '"\\u0041"',
    '"\\/"',
    '"a\u0001b"',
    '',
    'nul',
    '[1,]',
    '{"a":}',
    '"open',
    'NaN',
    '[',
    '"\\ud800\\uDC00"',
  ])('is not %s', (text) => {
    expect(isCanonicalJson(text, 64)).toBe(false);
  });

  it('ends at a depth', () => {
    expect(isCanonicalJson('['.repeat(20) + ']'.repeat(20), 20)).toBe(true);
    expect(isCanonicalJson('['.repeat(100_000), 20)).toBe(false);
  });
});

describe('a line', () => {
  it('is read the quick way only when the long way reads the same', () => {
    const plainText = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });
    const plainEntry = anyEntry.chain((some) => plainText.map((session) => ({ ...some, session })));
    const someByte = fc.constantFrom(...'"\\,:{}[]0aA- \u007f');
    fc.assert(
      fc.property(plainEntry, fc.nat(), someByte, (some, place, character) => {
        const line = lineOf(some);
        const at = place % line.length;
        for (const text of [
          line,
          line.slice(0, at) + character + line.slice(at + 1),
          line.slice(0, at) + line.slice(at + 1),
        ]) {
          const quick = readPlain(text);
          if (quick !== null) expect(quick, text).toEqual(readText(text));
        }
      }),
      { numRuns: 1000 },
    );
    expect(readPlain(lineOf(entry))).toMatchObject({ action: 'tool.call', sequence: 0, previous: noLeaf });
    expect(
      readPlain(lineOf({ ...entry, policy: 'x', rule: 'y', server: 'z', details: { a: [1, 'b'] } })),
    ).not.toBeNull();
    expect(readPlain(lineOf({ ...entry, server: 'é' }))).toBeNull();
  });

  it('of another writer is taken for the next one only when it names its place', () => {
    const line = Buffer.from(lineOf(entry));
    expect(seemsToFollow(line, 0, noLeaf)).toBe(true);
    expect(seemsToFollow(line, 1, noLeaf)).toBe(false);
    expect(seemsToFollow(line, 0, hashLeaf('x'))).toBe(false);
    expect(seemsToFollow(line.subarray(0, -1), 0, noLeaf)).toBe(false);
    expect(seemsToFollow(line.subarray(1), 0, noLeaf)).toBe(false);
  });

  it('is canonical, says what was handed over, and is read back', () => {
    fc.assert(
      fc.property(anyEntry, (some) => {
        const line = lineOf(some);
        expect(canonicalJson(JSON.parse(line))).toBe(line);
        const reading = readLine(Buffer.from(line));
        expect(reading).toMatchObject({ sequence: 0, previous: noLeaf, action: some.action });
        const { at, previous, sequence, ...said } = JSON.parse(line);
        expect(at.wall).toMatch(/Z$/);
        expect(said).toEqual(JSON.parse(JSON.stringify(some)));
        expect([previous, sequence]).toEqual([noLeaf, 0]);
      }),
      { numRuns: 200 },
    );
  });

  it('names the leaf before it, within a batch too', () => {
    const { bytes, lines, appended } = buildBatch(
      [prepareLine(entry), prepareLine(entry), prepareLine({ ...entry, server: 'ä' })],
      noLeaf,
      7,
    );
    const written = bytes.toString('utf8').slice(0, -1).split('\n');
    expect(written.map((line) => hashLeaf(line))).toEqual(lines.map(({ leaf }) => leaf));
    expect(written.map((line) => JSON.parse(line).previous)).toEqual([noLeaf, lines[0]?.leaf, lines[1]?.leaf]);
    expect(appended.map(({ sequence }) => sequence)).toEqual([7, 8, 9]);
    expect(lines.reduce((sum, line) => sum + line.bytes, 0)).toBe(bytes.length);
  });

  it.each([
    ['a field more', (line: string) => line.replace('"session"', '"sessions"')],
    [
      'another order',
      (line: string) => line.replace('"instrument":"guard",', '').replace('{', '{"instrument":"guard",'),
    ],
    ['a blank', (line: string) => line.replace(',"sequence"', ', "sequence"')],
    ['something after it', (line: string) => `${line} `],
    ['another verdict', (line: string) => line.replace('"allowed"', '"perhaps"')],
    ['a sequence with a zero in front', (line: string) => line.replace('"sequence":0', '"sequence":00')],
    ['a previous leaf in capitals', (line: string) => line.replace(/0{64}/, 'A'.repeat(64))],
    ['no session', (line: string) => line.replace('"session":"one"', '"session":""')],
    ['an action of one word', (line: string) => line.replace('tool.call', 'tool')],
    ['a time that is none', (line: string) => line.replace(/"wall":"[^"]*"/, '"wall":"yesterday"')],
    ['details that are a list', (line: string) => line.replace('"instrument"', '"details":[],"instrument"')],
    ['nothing', () => ''],
    ['half of it', (line: string) => line.slice(0, 90)],
  ])('with %s is none', (_, change) => {
    const line = lineOf(entry);
    expect(isBadLine(readLine(Buffer.from(line)))).toBe(false);
    expect(isBadLine(readLine(Buffer.from(change(line))))).toBe(true);
  });

  it('of any bytes is read without an exception', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => isBadLine(readLine(Buffer.from(bytes)))));
    expect(
      readLine(Buffer.concat([Buffer.from(lineOf({ ...entry, session: 'ä' }).slice(0, -20)), Buffer.of(0xff)])),
    ).toMatchObject({ kind: 'line' });
  });
});

describe('what is handed over', () => {
  it.each([
    [{ ...entry, instrument: 'else' }],
    [{ ...entry, verdict: 'maybe' }],
    [{ ...entry, action: 'Tool call' }],
    [{ ...entry, action: `a.${'b'.repeat(80)}` }],
    [{ ...entry, session: '' }],
    [{ ...entry, rule: 7 }],
    [{ ...entry, details: [] }],
    [{ ...entry, more: 1 }],
  ])('is checked: %o', (wrong) => {
    expect(() => prepareLine(wrong as unknown as LedgerEntry)).toThrow(UsageError);
  });

  it('is cut where it is too long, and says so', () => {
    const details = JSON.parse(
      writeDetails({
        text: 'x'.repeat(5000),
        list: Array.from({ length: 300 }, (_, at) => at),
        big: 1n,
        no: undefined,
      }),
    );
    expect(details.text).toMatch(/^x{2048}… \(2952 characters more\)$/);
    expect(details.list.at(-1)).toBe('… (44 more)');
    expect(details.big).toBe('1');
    expect(Object.keys(details)).not.toContain('no');
    expect(JSON.parse(lineOf({ ...entry, server: 's'.repeat(600) })).server).toHaveLength(ledgerLimits.nameChars);
  });

  it('stays within its bounds whatever it is', () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    const wide = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`key ${at}`, { [`${at}`]: '\u0001'.repeat(3000) }]),
    );
    const branching: Record<string, unknown> = {};
    for (let at = 0; at < 100; at += 1) branching[`b${at}`] = branching;
    for (const details of [endless, wide, branching, { deep: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) }]) {
      const line = lineOf({ ...entry, details });
      expect(Buffer.byteLength(line)).toBeLessThan(ledgerLimits.lineBytes);
      expect(isBadLine(readLine(Buffer.from(line)))).toBe(false);
      expect(line).toContain('…');
    }
  });
});
