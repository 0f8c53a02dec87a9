import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelsOf, nameText, readQuery, recordTypes, writeAnswer, writeName } from './message.ts';

const header = (questions: number, flags = 0x0100): Buffer => {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(0xabcd, 0);
  bytes.writeUInt16BE(flags, 2);
  bytes.writeUInt16BE(questions, 4);
  return bytes;
};
const typeA = Buffer.from([0, 1, 0, 1]);
const question = (name: string): Buffer => Buffer.concat([writeName(labelsOf(name)), typeA]);
const query = (...parts: readonly Buffer[]): Buffer => Buffer.concat([header(1), ...parts]);

describe('readQuery', () => {
  it('reads a question', () => {
    const read = readQuery(query(question('www.Example.com')));
    expect(read).toMatchObject({ id: 0xabcd, udpBytes: 512, hasOptions: false });
    expect(read?.questions.map(({ labels, type }) => [nameText(labels), type])).toEqual([['www.Example.com', 1]]);
  });

  it('reads a name whose end is a pointer back', () => {
    const second = Buffer.concat([Buffer.from([1, 0x62, 0xc0, 12 + 4]), typeA]);
    const read = readQuery(Buffer.concat([header(2), question('www.example'), second]));
    expect(read?.questions.map(({ labels }) => nameText(labels))).toEqual(['www.example', 'b.example']);
  });

  it('keeps labels that are no text', () => {
    const read = readQuery(query(Buffer.from([3, 0, 0x2e, 0xff, 0]), typeA));
    expect(nameText(read?.questions[0]?.labels ?? [])).toBe('\\000\\.\\255');
  });

  const options = (size: number): Buffer => Buffer.from([0, 0, 41, size >> 8, size & 255, 0, 0, 0, 0, 0, 0]);
  it.each([
    [100, 512],
    [1232, 1232],
    [65_535, 4096],
  ])('brings an offered size of %i to %i', (offered, expected) => {
    const bytes = query(question('a.b'), options(offered));
    bytes.writeUInt16BE(1, 10);
    expect(readQuery(bytes)).toMatchObject({ udpBytes: expected, hasOptions: true });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a header', Buffer.alloc(11)],
    ['an answer', Buffer.concat([header(1, 0x8180), question('a.b')])],
    ['no question', header(0)],
    ['more questions than anybody asks', header(65_535)],
    ['a pointer to itself', query(Buffer.from([0xc0, 12]), typeA)],
    ['a pointer forward', query(Buffer.from([0xc0, 20]), typeA, Buffer.alloc(10))],
    ['two pointers in a circle', query(Buffer.from([0xc0, 14, 0xc0, 12]), typeA)],
    ['a label and a pointer back to it', query(Buffer.from([1, 0x61, 0xc0, 12]), typeA)],
    ['half a pointer', query(Buffer.from([0xc0]))],
    ['a label that is cut off', query(Buffer.from([5, 0x61]))],
    ['a label of a reserved kind', query(Buffer.from([0x80, 1, 0]), typeA)],
    ['a name that is too long', query(question(`${'abcdefghi.'.repeat(26)}x`))],
    ['no type', query(writeName(labelsOf('a.b')))],
  ])('refuses %s', (_, bytes) => {
    expect(readQuery(bytes)).toBeNull();
  });

  it('never throws, whatever it is given', () => {
    const valid = query(question('www.example.com'));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        readQuery(Buffer.from(bytes));
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.nat(255), fc.nat(valid.length), (at, byte, end) => {
        const changed = Buffer.from(valid);
        changed[at] = byte;
        readQuery(changed.subarray(0, end));
      }),
      { numRuns: 3000 },
    );
  });

  it('reads back what was written', () => {
    const label = fc.uint8Array({ minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 10 }), (labels) => {
        const buffers = labels.map((each) => Buffer.from(each));
        expect(readQuery(query(writeName(buffers), typeA))?.questions[0]?.labels).toEqual(buffers);
      }),
    );
  });
});

describe('writeAnswer', () => {
  const asked = readQuery(query(question('a.b')));
  const record = { labels: labelsOf('a.b'), type: recordTypes.TXT, seconds: 60, data: Buffer.alloc(400) };

  it('is cut to the question when it is too large, and says so', () => {
    if (asked === null) throw new Error('unreadable');
    const small = writeAnswer(asked, { code: 0, records: [record] }, 512);
    const large = writeAnswer(asked, { code: 0, records: [record, record] }, 512);
    expect([small.readUInt16BE(2) & 0x0200, small.readUInt16BE(6)]).toEqual([0, 1]);
    expect([large.readUInt16BE(2) & 0x0200, large.readUInt16BE(6)]).toEqual([0x0200, 0]);
    expect(large.length).toBeLessThanOrEqual(512);
  });

  it('repeats the id and the question and says what went wrong', () => {
    if (asked === null) throw new Error('unreadable');
    const bytes = writeAnswer(asked, { code: 3, records: [] }, 512);
    expect(bytes.toString('hex')).toBe('abcd81830001000000000000016101620000010001');
  });
});
