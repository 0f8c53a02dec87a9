import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gather } from './gather.ts';

function pass(chunks: readonly Buffer[], cap: number): { text: string; kept: Buffer; dropped: number } {
  let text = '';
  const gatherer = gather(cap, (piece) => {
    text += piece;
  });
  for (const chunk of chunks) gatherer.take(chunk);
  gatherer.end();
  return { text, kept: gatherer.kept(), dropped: gatherer.droppedBytes };
}

describe('gathering', () => {
  it('tells the same text however it is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.array(fc.nat(160), { maxLength: 8 }),
        (text, cuts) => {
          const bytes = Buffer.from(text);
          const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
          const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
          const result = pass(chunks, 1000);
          expect(result).toEqual({ text: bytes.toString(), kept: bytes, dropped: 0 });
        },
      ),
    );
  });

  it.each([
    [0, '', 6],
    [2, 'a', 4],
    [3, 'aé', 3],
    [6, 'aéabc', 0],
    [7, 'aéabc', 0],
  ])('keeps %d bytes and no half character', (cap, text, dropped) => {
    const result = pass([Buffer.from('aéa'), Buffer.from('bc')], cap);
    expect([result.text, result.kept.length, result.dropped]).toEqual([text, Math.min(cap, 6), dropped]);
  });

  it('tells of a character that never came to its end', () => {
    expect(pass([Buffer.from([0x61, 0xc3])], 10).text).toBe('a\ufffd');
  });
});
