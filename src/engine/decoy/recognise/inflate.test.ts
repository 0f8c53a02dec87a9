import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { inflate } from './inflate.ts';

const samples = {
  nothing: Buffer.alloc(0),
  text: Buffer.from('all work and no play '.repeat(500)),
  random: createRandom('inflate').bytes(70_000),
};

describe('inflate', () => {
  it.each(
    Object.entries(samples).flatMap(([what, bytes]) =>
      [0, 1, 6, 9].flatMap((level) => [0, 4].map((strategy) => ({ what, bytes, level, strategy }))),
    ),
  )('undoes what the built-in one does: $what, level $level, strategy $strategy', ({ bytes, level, strategy }) => {
    const { output, state } = inflate(deflateRawSync(bytes, { level, strategy }), 0, 1_000_000);
    expect(state).toBe('done');
    expect(output.equals(bytes)).toBe(true);
  });

  it('gives what there is of a stream that is cut short', () => {
    const whole = deflateRawSync(samples.text);
    const { output, state } = inflate(whole.subarray(0, whole.length - 10), 0, 1_000_000);
    expect(state).toBe('open');
    expect(output.length).toBeGreaterThan(100);
    expect(samples.text.subarray(0, output.length).equals(output)).toBe(true);
  });

  it('stops at the cap', () => {
    const { output, state } = inflate(deflateRawSync(Buffer.alloc(1_000_000)), 0, 5000);
    expect(state).toBe('cut');
    expect(output).toHaveLength(5000);
  });

  it.each([
    { what: 'a block type that does not exist', bytes: [0b111] },
    { what: 'a stored block with a wrong length', bytes: [0b001, 1, 0, 1, 0] },
    { what: 'a distance before the beginning', bytes: [0x03, 0x02, 0x00] },
  ])('refuses $what', ({ bytes }) => {
    expect(inflate(Uint8Array.from(bytes), 0, 1000).state).not.toBe('done');
  });

  it('ends on anything', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(inflate(bytes, 0, 10_000).output.length).toBeLessThanOrEqual(10_000);
      }),
      { numRuns: 2000 },
    );
  });
});
