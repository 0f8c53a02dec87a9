import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksOf, parseRecord, RecordReader, type WitnessRecord } from './records.ts';

const marks = marksOf('0123456789abcdef01234567');
const textMark = Buffer.from(marks.text);
const preamble = `Attaching 9 probes...\n${marks.end}\n`;

const text = fc.uint8Array({ maxLength: 199 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0)));

function line(head: string, ...texts: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from(head),
    ...texts.flatMap((each) => [textMark, each]),
    Buffer.from(`${marks.end}\n`),
  ]);
}

describe('parseRecord', () => {
  const parse = (head: string, ...texts: readonly string[]): WitnessRecord | null =>
    parseRecord(Buffer.from([head, ...texts].join(marks.text)), textMark);

  it.each([
    ['a 5 77', { type: 'adopted', at: 5n, pid: 77 }],
    ['z 5 77', { type: 'lastReady', at: 5n, pid: 77 }],
    ['k 9 100007f09000002 0 0 0', { type: 'address', thread: 9 }],
  ])('%s', (head, expected) => {
    expect(parse(head)).toMatchObject(expected);
  });

  it('reads the bytes of an address in their order', () => {
    const record = parse('k 9 100007f09000002 0 0 0');
    expect(record?.type === 'address' && record.address.toString('hex')).toBe(`020000097f000001${'0'.repeat(48)}`);
  });

  it('reads who, and what came of it', () => {
    expect(parse('c 5 7 6 8 257 -13 577', 'perl', '/x')).toEqual({
      type: 'returned',
      at: 5n,
      pid: 7,
      parent: 6,
      name: Buffer.from('perl'),
      thread: 8,
      call: 257,
      result: -13,
      extra: 577,
      text: Buffer.from('/x'),
    });
    expect(parse('r 5 7 6 83 -1', 'perl')).toMatchObject({ type: 'refused', call: 83, result: -1 });
    expect(parse('e 5 7 6 1792', 'perl')).toMatchObject({ type: 'ended', status: 1792 });
  });

  it('takes the lower half of a number that is no number here', () => {
    expect(parse('c 5 7 6 8 257 9223372036854775807 -1', 'perl', '/x')).toMatchObject({ result: -1, extra: -1 });
  });

  it.each([
    '',
    'q 1 2',
    'a 5',
    'a 5 77 8',
    'a -5 77',
    'a 5 4194305',
    'a 5 x',
    'a  5 77',
    'e 5 7 6 1792',
    'k 9 100007f09000002 0 0 g',
    'c 5 7 6 8 257 1.5 0',
  ])('refuses %j', (head) => {
    expect(parse(head)).toBeNull();
    expect(parse(head, 'one', 'two', 'three')).toBeNull();
  });

  it('never throws', () => {
    const near = fc.array(fc.oneof(fc.constantFrom('c', ' ', '7', marks.text, marks.end, '-1', '\n'), fc.string()));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          near.map((parts) => Buffer.from(parts.join(''))),
        ),
        (bytes) => {
          parseRecord(Buffer.from(bytes), textMark);
        },
      ),
    );
  });
});

describe('RecordReader', () => {
  it('gives back what a target put into names, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), fc.integer({ min: 1, max: 64 }), (pairs, step) => {
        const stream = Buffer.concat([
          Buffer.from(preamble),
          ...pairs.map(([name, path]) => line('x 5 7 6', name, path)),
        ]);
        const reader = new RecordReader(marks);
        const records: WitnessRecord[] = [];
        for (let at = 0; at < stream.length; at += step) records.push(...reader.take(stream.subarray(at, at + step)));
        expect(records.map((record) => (record.type === 'became' ? [record.name, record.text] : null))).toEqual(pairs);
        expect(reader.malformed).toBe(0);
      }),
    );
  });

  it('counts what it cannot read, and goes on', () => {
    const reader = new RecordReader(marks);
    const bytes = Buffer.concat([Buffer.from(preamble), line('nonsense'), line('a 5 77')]);
    expect(reader.take(bytes)).toHaveLength(1);
    expect(reader.malformed).toBe(1);
  });

  it('does not keep a stream without an end', () => {
    const reader = new RecordReader(marks);
    reader.take(Buffer.from(preamble));
    for (let time = 0; time < 4; time += 1) reader.take(Buffer.alloc(20_000, 'x'));
    expect(reader.malformed).toBeGreaterThan(0);
    expect(reader.take(line('a 5 77'))).toHaveLength(0);
    expect(reader.take(line('a 5 77'))).toHaveLength(1);
  });
});
