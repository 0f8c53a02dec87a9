import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, LineReader } from './line-reader.ts';

describe('LineReader', () => {
  it('gives the same lines however they are cut', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '{', 'é', '日', '😀', '\u0000'), maxLength: 30 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 20 }), (lines, cuts) => {
        const all = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        const reader = new LineReader(1000);
        const read: Line[] = [];
        let from = 0;
        for (const cut of [...cuts, all.length]) {
          read.push(...reader.take(all.subarray(from, from + cut)));
          from = Math.min(all.length, from + cut);
        }
        expect(read).toEqual(lines.map((text) => ({ text })));
      }),
    );
  });

  it('drops a line that is too long, and reads the next', () => {
    const reader = new LineReader(10);
    expect(reader.take(Buffer.from('x'.repeat(8)))).toEqual([]);
    expect(reader.take(Buffer.from('y'.repeat(8)))).toEqual([]);
    expect(reader.take(Buffer.from('\nshort\r\n'))).toEqual([{ tooLongBytes: 16 }, { text: 'short' }]);
  });
});
