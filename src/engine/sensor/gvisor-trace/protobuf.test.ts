import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readers } from './messages.ts';
import { messageReader } from './protobuf.ts';

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return [...bytes, Number(left)];
}

const number = (field: number, value: bigint): number[] => [...varint(BigInt(field * 8)), ...varint(value)];
const bytes = (field: number, value: Iterable<number>): number[] => {
  const content = [...value];
  return [...varint(BigInt(field * 8 + 2)), ...varint(BigInt(content.length)), ...content];
};

const read = messageReader({
  int: [1, 'int'],
  low: [2, 'low'],
  big: [3, 'big'],
  text: [4, 'bytes'],
  list: [5, 'list'],
  inner: [6, { value: [1, 'int'], text: [20, 'bytes'] }],
});
const blank = { int: 0, low: 0, big: 0n, text: new Uint8Array(), list: { items: [], total: 0 }, inner: undefined };

describe('messageReader', () => {
  it('gives what is not there its blank value', () => {
    expect(read(new Uint8Array())).toEqual(blank);
  });

  it.each([
    ['int', number(1, 300n), { int: 300 }],
    ['a negative int', number(1, -100n), { int: -100 }],
    ['an int above 32 bits', number(1, 0x7fff_ffff_ffffn), { int: 0x7fff_ffff_ffff }],
    ['the lowest bits of a long value', number(2, 0xdead_beef_0002_0001n), { low: 0x0002_0001 }],
    ['the highest bit of 32', number(2, 0x8000_0000n), { low: 0x8000_0000 }],
    ['a time in nanoseconds', number(3, 1_794_719_369_095_641_250n), { big: 1_794_719_369_095_641_250n }],
    ['a negative big', number(3, -(2n ** 63n)), { big: -(2n ** 63n) }],
    ['bytes that are no text', bytes(4, [255, 0, 10]), { text: Uint8Array.of(255, 0, 10) }],
    ['the last of two', [...number(1, 1n), ...number(1, 2n)], { int: 2 }],
    [
      'a message in it',
      bytes(6, [...number(1, 7n), ...bytes(20, [1])]),
      { inner: { value: 7, text: Uint8Array.of(1) } },
    ],
    ['an empty message in it', bytes(6, []), { inner: { value: 0, text: new Uint8Array() } }],
    ['fields it does not know', [...number(99, 5n), ...bytes(98, [1, 2]), ...number(1, 4n)], { int: 4 }],
    ['fixed sizes it does not know', [9 * 8 + 1, ...Array(8).fill(0), 10 * 8 + 5, 0, 0, 0, 0], {}],
  ])('reads %s', (_, input, expected) => {
    expect(read(Uint8Array.from(input))).toEqual({ ...blank, ...expected });
  });

  it('keeps a list in order, and a very long one with its length', () => {
    const short = read(Uint8Array.from([...bytes(5, [1]), ...bytes(5, []), ...bytes(5, [2, 3])]));
    expect(short?.list).toEqual({ items: [Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)], total: 3 });
    const long = read(Uint8Array.from(Array.from({ length: 5000 }, () => bytes(5, [9])).flat()));
    expect([long?.list.items.length, long?.list.total]).toEqual([4096, 5000]);
  });

  it('keeps the lists of two messages apart', () => {
    const message = Uint8Array.from(bytes(5, [1]));
    read(message);
    expect(read(message)?.list.total).toBe(1);
  });

  it.each([
    ['a number that is cut off', [0x08, 0x80]],
    ['a number of eleven bytes', [0x08, ...Array(10).fill(0x80), 0]],
    ['no value', [0x08]],
    ['more bytes than there are', [0x22, 5, 1, 2]],
    ['a length of four gigabytes', [0x22, ...varint(2n ** 32n)]],
    ['field number 0', [0x00, 0x01]],
    ['a group', [0x0b]],
    ['bytes where a number should be', bytes(1, [1])],
    ['a number where bytes should be', number(4, 1n)],
    ['a number where a message should be', number(6, 1n)],
    ['four bytes where a number should be', [0x0d, 0, 0, 0, 0]],
    ['a broken message in it', bytes(6, [0x08])],
    ['a message in it that reaches beyond its end', [...bytes(6, [0xa2, 0x01, 9]), ...number(1, 1n)]],
  ])('refuses %s', (_, input) => {
    expect(read(Uint8Array.from(input))).toBeNull();
  });

  it('reads back any values', () => {
    const anyMessage = fc.tuple(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.uint8Array(),
      fc.array(fc.uint8Array()),
    );
    fc.assert(
      fc.property(anyMessage, ([big, text, items]) => {
        const input = [...number(3, big), ...bytes(4, text), ...items.flatMap((item) => bytes(5, item))];
        expect(read(Uint8Array.from(input))).toEqual({ ...blank, big, text, list: { items, total: items.length } });
      }),
    );
  });

  it('meets any bytes, as any message, with a message or null', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...Object.values(readers)), (input, reader) => {
        const message = reader(input);
        expect(message === null || typeof message === 'object').toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
