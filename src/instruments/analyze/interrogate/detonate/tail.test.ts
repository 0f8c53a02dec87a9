import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Tail } from './tail.ts';

function tailOf(mostBytes: number, ...chunks: readonly (string | Buffer)[]): Tail {
  const stream = new PassThrough();
  const tail = new Tail(stream, mostBytes);
  for (const chunk of chunks) stream.emit('data', Buffer.from(chunk));
  return tail;
}

describe('the tail of a stream', () => {
  it.each([
    ['nothing', 10, [], '', 0],
    ['all that fits', 10, ['a\nb', '\nc'], 'a\nb\nc', 0],
    ['exactly as much as fits', 4, ['ab', 'cd'], 'abcd', 0],
    ['whole lines of what was cut', 8, ['first\nsecond\n', 'third\n'], 'third\n', 11],
    ['a line longer than the cap', 4, ['abcdefgh'], 'efgh', 4],
    ['letters that were cut in two', 3, ['€€'], '€', 3],
  ])('is %s', (_, most, chunks, text, dropped) => {
    const tail = tailOf(most, ...chunks);
    expect(tail.text).toBe(text);
    expect(tail.droppedBytes).toBe(dropped);
  });

  it('keeps no more than its cap, however much comes', () => {
    const tail = tailOf(64, ...Array.from({ length: 200 }, (_, at) => `line ${at}\n`));
    expect(tail.text.length).toBeLessThanOrEqual(64);
    expect(tail.text.endsWith('line 199\n')).toBe(true);
    expect(tail.bytes).toBe(tail.droppedBytes + 64);
  });

  it('outlives the errors of its stream', () => {
    const stream = new PassThrough();
    const tail = new Tail(stream, 10);
    stream.emit('data', Buffer.from('last words'));
    expect(() => stream.emit('error', new Error('gone'))).not.toThrow();
    expect(tail.text).toBe('last words');
  });
});
