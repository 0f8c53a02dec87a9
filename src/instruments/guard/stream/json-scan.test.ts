import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJson } from './json-scan.ts';

const limits = { depth: 64, elements: 100 };
const scan = (text: string | Buffer) => scanJson(Buffer.from(text), limits);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('scanJson', () => {
  it.each<[string, boolean]>([
    ['{}', true],
    ['{"a":1}', true],
    [' { "a" : [ 1 , -2.5e+10 , true , false , null , "x" ] } ', true],
    ['[]', true],
    ['"\\u00e9\\n\\/"', true],
    ['{"a":1,}', false],
    ['{a:1}', false],
    ['[1 2]', false],
    ['01', false],
    ['1.', false],
    ['-', false],
    ['+1', false],
    ['.5', false],
    ['"a', false],
    ['"\\x"', false],
    ['"\\u12g4"', false],
    ['"\n"', false],
    ['tru', false],
    ['{} {}', false],
    ['{"a":1}}', false],
    ['', false],
    ['nul', false],
    ['[', false],
    ['{"a"', false],
    ['{"a":', false],
  ])('%j', (text, isValid) => {
    expect([scan(text).is === 'json', isJson(text)]).toEqual([isValid, isValid]);
  });

  it.each<[string, boolean]>([
    ['{"a":1,"b":2}', false],
    ['{"a":1,"a":2}', true],
    ['{"name":1,"n\\u0061me":2}', true],
    ['{"x":{"a":1},"y":{"a":1}}', false],
    ['[{"a":1},{"a":1}]', false],
    ['{"x":[{"a":1,"b":{"c":1,"c":2}}]}', true],
    ['{"":1,"":2}', true],
    ['{"a":{"a":{"a":1}}}', false],
    [`{${Array.from({ length: 200 }, (_, at) => `"k${at}":0`).join()}}`, false],
    [`{${Array.from({ length: 200 }, (_, at) => `"k${at}":0`).join()},"k7":1}`, true],
    [`{${Array.from({ length: 200 }, (_, at) => `"k${at}":0`).join()},"\\u006b7":1}`, true],
  ])('knows whether %s has a key twice', (text, hasDuplicateKey) => {
    expect(scan(text)).toMatchObject({ is: 'json', hasDuplicateKey });
  });

  it('tells keys apart whose hashes are equal', () => {
    // The hash is a product: a leading NUL character changes nothing in it.
    const keys = Array.from({ length: 60 }, (_, at) => `"${'\\u0000'.repeat(at)}x":0`);
    expect(scan(`{${keys.join()}}`)).toMatchObject({ hasDuplicateKey: false });
    expect(scan(`{${keys.join()},"x":1}`)).toMatchObject({ hasDuplicateKey: true });
  });

  it('stops at too much depth and too many elements, in constant stack', () => {
    expect(scan('['.repeat(65) + ']'.repeat(65))).toMatchObject({ is: 'fault', fault: 'too-deep' });
    expect(scan('['.repeat(64) + ']'.repeat(64))).toMatchObject({ is: 'json' });
    expect(scan('['.repeat(1_000_000))).toMatchObject({ is: 'fault', fault: 'too-deep' });
    expect(scan(`[${'1,'.repeat(100)}1]`)).toMatchObject({ is: 'fault', fault: 'too-many-elements' });
  });

  it('finds outermost members and marks what may be read differently', () => {
    const text = '{"id": 12345678901234567 ,\r"result":{"id":2}}';
    const scanned = scan(text);
    expect(scanned).toMatchObject({ is: 'json', hasLongNumber: true, hasLoneReturn: true });
    const { start = 0, end = 0 } = scanned.members.get('id') ?? {};
    expect(text.slice(start, end)).toBe('12345678901234567');
  });

  const spaced = fc.json({ maxDepth: 2 }).map((text) => text.replaceAll(',', ' ,\t').replaceAll(':', ' : '));
  it('agrees with JSON.parse on what is JSON, long strings and broken ones too', () => {
    const long = fc
      .string({ unit: 'binary', minLength: 60, maxLength: 120 })
      .map((text) => JSON.stringify({ text, after: [text] }));
    fc.assert(
      fc.property(fc.oneof(spaced, long), fc.nat(), fc.option(fc.integer({ min: 0, max: 127 })), (text, at, byte) => {
        const bytes = Buffer.from(text.toWellFormed());
        if (byte !== null && bytes.length > 0) bytes[at % bytes.length] = byte;
        const given = bytes.toString('utf8');
        if (!Buffer.from(given).equals(bytes)) return;
        const scanned = scanJson(bytes, { depth: 1000, elements: 1000 });
        expect(scanned.is === 'json').toBe(isJson(given));
        if (scanned.is !== 'json' || scanned.outermost !== 'object') return;
        const value = JSON.parse(given) as Record<string, unknown>;
        expect([...scanned.members.keys()].toSorted()).toEqual(Object.keys(value).toSorted());
        for (const [key, { start, end }] of scanned.members)
          expect(JSON.parse(bytes.toString('utf8', start, end))).toEqual(value[key]);
      }),
      { numRuns: 250 },
    );
  });

  it('never throws over any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        scanJson(Buffer.from(bytes), limits);
      }),
      { numRuns: 200 },
    );
  });
});
