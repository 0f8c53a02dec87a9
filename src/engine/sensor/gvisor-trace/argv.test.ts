import { describe, expect, it } from 'vitest';
import { argvField } from './argv.ts';

const list = (items: readonly Uint8Array[], total = items.length) => ({ items, total });
const kilobytes = (count: number): Uint8Array => new Uint8Array(count * 1024).fill(97);

describe('argvField', () => {
  it('keeps every byte of ordinary arguments', () => {
    const items = [Buffer.from('sh'), Buffer.from(''), Buffer.from('a, "b"\n'), Buffer.from([255, 254])];
    expect(argvField(list(items))).toEqual({
      argv: [{ text: 'sh' }, { text: '' }, { text: 'a, "b"\n' }, { base64: '//4=' }],
      isCut: false,
    });
  });

  it('keeps one of a hundred kilobytes', () => {
    expect(argvField(list([kilobytes(100)])).isCut).toBe(false);
  });

  it('cuts one that is too long, and says by how much', () => {
    const { argv, isCut } = argvField(list([kilobytes(129)]));
    expect([argv[0]?.droppedBytes, isCut]).toEqual([1024, true]);
  });

  it('cuts when all together are too long', () => {
    const { argv, isCut } = argvField(list([kilobytes(100), kilobytes(100), kilobytes(100), kilobytes(1)]));
    expect([argv.length, argv[2]?.droppedBytes, isCut]).toEqual([3, 44 * 1024 + 2, true]);
  });

  it('says that more were left out', () => {
    expect(argvField(list([Buffer.from('a')], 2)).isCut).toBe(true);
  });
});
