import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';

function read(chunks: readonly (string | Buffer)[], mostBytes = 1000): readonly string[] {
  const reader = new LineReader(mostBytes);
  const lines = chunks.flatMap((chunk) => [...reader.push(Buffer.from(chunk))]);
  const last = reader.flush();
  return [...lines, ...(last === null ? [] : [last])].map((line) =>
    line.is === 'line'
      ? line.content.toString('latin1')
      : `${line.bytes} bytes ${line.head.toString()}…${line.tail.toString()}`,
  );
}

describe('LineReader', () => {
  it.each<[string, readonly (string | Buffer)[], readonly string[]]>([
    ['lines', ['a\nb\n'], ['a', 'b']],
    ['half lines', ['a', 'b', 'c\nd', '\n'], ['abc', 'd']],
    ['a last line without an end', ['a\nb'], ['a', 'b']],
    ['carriage returns', ['a\r\nb\r\n'], ['a', 'b']],
    ['a carriage return at the end of a chunk', ['a\r', '\nb\r', '\n'], ['a', 'b']],
    ['a lone carriage return, which is no end', ['a\rb\n'], ['a\rb']],
    ['empty lines', ['\n\n\r\n  \na\n\n'], ['a']],
    ['a byte order mark at the beginning', [Buffer.from('\ufeffa\n')], ['a']],
    ['none in the middle', [Buffer.from('a\n\ufeffb\n')], ['a', Buffer.from('\ufeffb').toString('latin1')]],
    ['any bytes', [Buffer.from([0xff, 0x00, 0x0a, 0xc3, 0x0a])], ['\u00ff\0', '\u00c3']],
    ['nothing', [], []],
  ])('reads %s', (_name, chunks, lines) => {
    expect(read(chunks)).toEqual(lines);
  });

  it('refuses a line that is too long and goes on behind it', () => {
    expect(read(['12345', '678901\nok\n'], 10)).toEqual(['12 bytes 12345678901\n…12345678901\n', 'ok']);
    expect(read(['12345678901\nok\n'], 10)).toEqual(['12 bytes 12345678901\n…12345678901\n', 'ok']);
    expect(read(['123456789\nok\n'], 10)).toEqual(['123456789', 'ok']);
  });

  it('holds no more than the cap of a line that never ends', () => {
    const reader = new LineReader(100_000);
    for (let count = 0; count < 1000; count += 1) {
      expect([...reader.push(Buffer.alloc(1000, 0x78))]).toEqual([]);
      expect(reader.heldBytes).toBeLessThanOrEqual(100_000);
    }
    expect([...reader.push(Buffer.from('y\n'))]).toMatchObject([{ is: 'too-long', bytes: 1_000_002 }]);
  });

  it('gives the chunk itself where a line is in one, and every byte wherever it is cut', () => {
    const whole = Buffer.from('{"a":1}\r\n');
    const [line] = new LineReader(1000).push(whole);
    expect(line?.is === 'line' && line.whole.buffer === whole.buffer && line.whole.equals(whole)).toBe(true);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(fc.nat({ max: 200 }), { maxLength: 20 }),
        fc.constantFrom(5, 40, 1000),
        (bytes, cuts, mostBytes) => {
          const input = Buffer.from(bytes).map((byte) => (byte % 7 === 0 ? 0x0a : byte));
          const places = [0, ...cuts.filter((cut) => cut < input.length).toSorted((a, b) => a - b), input.length];
          const chunks = places.slice(1).map((end, at) => Buffer.from(input.subarray(places[at], end)));
          expect(read(chunks, mostBytes)).toEqual(read([Buffer.from(input)], mostBytes));
          const reader = new LineReader(1000);
          const lines = chunks.flatMap((chunk) => [...reader.push(chunk)]);
          const last = reader.flush();
          const kept = Buffer.concat(
            [...lines, ...(last === null ? [] : [last])].map((each) =>
              each.is === 'line' ? each.whole : Buffer.alloc(0),
            ),
          );
          const isBlank = (text: string): boolean => /^(?:\u00ef\u00bb\u00bf)?[ \t\r]*\n?$/.test(text);
          const expected = Buffer.from(input)
            .toString('latin1')
            .split(/(?<=\n)/)
            .filter((text) => !isBlank(text));
          expect(kept.toString('latin1')).toBe(expected.join(''));
        },
      ),
      { numRuns: 300 },
    );
  });
});
