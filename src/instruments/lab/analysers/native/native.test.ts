import { describe, expect, it } from 'vitest';
import type { AnalyserInput } from '../../contract.ts';
import { windowsSpelling } from '../pe/capabilities.ts';
import { makeReader, OutOfBounds } from '../reader.ts';
import { type Capability, matchCapabilities } from './capability.ts';
import { contentHint } from './content-hint.ts';
import { byteEntropy, makeEntropyMeter } from './entropy.ts';
import { makeGathering, resultOf } from './gathering.ts';
import { describeToolchain } from './toolchain.ts';
import { flagNames, guidOf, tidy, timeOf } from './wording.ts';

const inputOf = (bytes: Uint8Array): AnalyserInput => ({
  bytes,
  kind: { id: 'elf', title: 'ELF', mime: 'application/octet-stream' },
  name: 'sample',
  depth: 'deep',
  passwords: [],
  rulesFolders: [],
  tick: () => undefined,
});

describe('entropy', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 0],
    ['one value', Buffer.alloc(500, 7), 0],
    ['two values', Buffer.from('abababab'), 1],
    ['every value once', Uint8Array.from({ length: 256 }, (_, index) => index), 8],
  ] as const)('%s', (_name, bytes, expected) => {
    expect(byteEntropy(bytes)).toBe(expected);
  });

  it('ends where pieces overlap too much', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 40_503) >>> 3);
    const measure = makeEntropyMeter(bytes.length, () => undefined);
    const measured = Array.from({ length: 10 }, () => measure(bytes));
    expect(measured.filter((one) => one !== null)).toHaveLength(3);
    expect(measured[0]).toBeGreaterThan(7.9);
  });
});

describe('wording', () => {
  it.each([
    ['plain', 'plain'],
    ['a\nb\0', 'a\\x0ab\\x00'],
    ['a\u202eb', 'a\\u{202e}b'],
    ['ä', 'ä'],
    ['\ud800', '\\u{d800}'],
  ])('shows %j', (text, shown) => {
    expect(tidy(text)).toBe(shown);
  });

  it('keeps the cap though escapes are longer', () => {
    expect(tidy('\0'.repeat(500), 100)).toHaveLength(100);
  });

  it('names flags, and shows what has no name', () => {
    expect(flagNames(0x80000005, { 1: 'one', 4: 'four' })).toEqual(['one', 'four', '0x80000000']);
  });

  it.each([
    [0, { iso: null, plausible: false }],
    [0xffffffff, { iso: null, plausible: false }],
    [1, { iso: '1970-01-01T00:00:01Z', plausible: false }],
    [1_600_000_000, { iso: '2020-09-13T12:26:40Z', plausible: true }],
    [4_200_000_000, { iso: '2103-02-04T02:40:00Z', plausible: false }],
  ])('judges the time %i', (seconds, expected) => {
    expect(timeOf(seconds)).toEqual(expected);
  });

  it('writes GUIDs as Windows does', () => {
    expect(guidOf(Buffer.from('00112233445566778899aabbccddeeff', 'hex'))).toBe('33221100-5544-7766-8899-AABBCCDDEEFF');
  });

  it.each([
    ['MZ\x90', 'Windows executable'],
    ['%PDF-1.7', 'PDF document'],
    ['hello', null],
    ['', null],
  ])('%j begins like %s', (text, hint) => {
    expect(contentHint(Buffer.from(text, 'latin1'))).toBe(hint);
  });
});

const table: readonly Capability[] = [
  {
    rule: 'x.y',
    title: 't',
    severity: 'low',
    rows: [['OpenProcess', 'NtOpenProcess'], ['CreateProcess']],
    benign: 'b',
  },
];

describe('capabilities', () => {
  it.each([
    [
      ['OpenProcess', 'CreateProcessW'],
      ['OpenProcess', 'CreateProcessW'],
    ],
    [
      ['ZwOpenProcess', 'CreateProcessA'],
      ['ZwOpenProcess', 'CreateProcessA'],
    ],
    [['OpenProcess'], undefined],
    [['CreateProcess'], undefined],
    [['openprocess', 'CreateProcess'], undefined],
    [[], undefined],
  ])('%j', (imported, evidence) => {
    const [finding] = matchCapabilities(imported, table, windowsSpelling);
    expect(finding?.evidence.map(({ text }) => text)).toEqual(evidence);
    if (finding !== undefined) expect(finding.evidenceType).toBe('structural');
  });
});

describe('gathering', () => {
  it('turns the end of the data into a note, and lets other errors through', () => {
    const gathering = makeGathering(inputOf(Buffer.alloc(4)));
    gathering.part('table', () => {
      throw new OutOfBounds(1, 2, 3);
    });
    expect(resultOf(gathering).notes).toEqual(['table: the file ends before the structure does']);
    expect(() =>
      gathering.part('table', () => {
        throw new RangeError('time is up');
      }),
    ).toThrow('time is up');
  });

  it('keeps children within twice the length of the file', () => {
    const bytes = Buffer.alloc(1000);
    const gathering = makeGathering(inputOf(bytes));
    for (let count = 0; count < 10; count += 1) gathering.child({ name: 'same', bytes, how: 'again' });
    expect(gathering.children).toHaveLength(2);
    expect(gathering.notes).toEqual(['more embedded files than are kept']);
  });
});

describe('toolchain', () => {
  /** Files of Go before 1.18: pointers to headers of texts. */
  const oldGo = (order: 'little' | 'big'): Buffer => {
    const file = Buffer.alloc(256);
    const put = (value: number, at: number): void => {
      if (order === 'little') file.writeBigUInt64LE(BigInt(value), at);
      else file.writeBigUInt64BE(BigInt(value), at);
    };
    file.write('\xff Go buildinf:', 0, 'latin1');
    file.set([8, order === 'big' ? 1 : 0], 14);
    put(0x1040, 16);
    put(0x1050, 24);
    put(0x1080, 0x40);
    put(6, 0x48);
    put(0x1090, 0x50);
    put(26, 0x58);
    file.write('go1.16', 0x80);
    file.write('path\texample.com/old\nmod\tx', 0x90);
    return file;
  };

  it.each(['little', 'big'] as const)('reads pointers of old Go, %s endian', (order) => {
    const bytes = oldGo(order);
    const gathering = makeGathering(inputOf(bytes));
    describeToolchain(gathering, makeReader(bytes), (address) => address - 0x1000);
    expect(gathering.facts.go).toMatchObject({ version: 'go1.16', path: 'example.com/old' });
  });

  it('wants the mark at an aligned place', () => {
    const bytes = Buffer.concat([Buffer.from('x'), oldGo('little')]);
    const gathering = makeGathering(inputOf(bytes));
    describeToolchain(gathering, makeReader(bytes), (address) => address);
    expect(gathering.facts.go).toBeUndefined();
  });
});
