import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPax } from './pax.ts';

const read = (text: string) => {
  const { values, problem } = readPax(Buffer.from(text));
  return { problem: problem !== undefined, values: [...values].map(([key, value]) => `${key}=${Buffer.from(value)}`) };
};

describe('extended headers', () => {
  it.each<[string, string, string[], boolean]>([
    ['nothing', '', [], false],
    ['one record', '9 path=a\n', ['path=a'], false],
    ['the last one counts', '9 path=a\n9 path=b\n', ['path=b'], false],
    ['an equals sign in the value', '12 path=a=b\n', ['path=a=b'], false],
    ['a new line in the value', '12 path=a\nb\n', ['path=a\nb'], false],
    ['NUL behind the end', '9 path=a\n\0\0', ['path=a'], false],
    ['too short', '5 path=a\n', [], true],
    ['too long', '99 path=a\n', [], true],
    ['zero', '0 path=a\n', [], true],
    ['a sign', '-9 path=a\n', [], true],
    ['no length', 'path=a\n', [], true],
    ['no equals sign', '7 path\n', [], true],
    ['something wrong after something right', '9 path=a\nx', ['path=a'], true],
  ])('%s', (_, text, values, problem) => {
    expect(read(text)).toEqual({ values, problem });
  });

  it('are read or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const [key, value] of readPax(bytes).values) expect(key.length + value.length).toBeLessThan(bytes.length);
      }),
    );
  });
});
