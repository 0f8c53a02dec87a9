import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader } from './frame-reader.ts';

interface Read {
  readonly frames: string[];
  readonly cut: number[];
  passed: string;
}

function read(chunks: readonly (string | Uint8Array)[], frameBytes = 1000): Read {
  const result: Read = { frames: [], cut: [], passed: '' };
  const reader = new FrameReader(
    {
      frame: (bytes) => void result.frames.push(bytes.toString('latin1')),
      cut: ({ head, droppedBytes }) => void result.cut.push(head.length + droppedBytes),
      passed: (bytes) => {
        result.passed += bytes.toString('latin1');
      },
    },
    frameBytes,
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk as Uint8Array));
  reader.flush();
  return result;
}

const cases: readonly { title: string; input: readonly string[]; frames: readonly string[]; passed?: string }[] = [
  { title: 'lines', input: ['a\nb\n'], frames: ['a', 'b'], passed: 'a\nb\n' },
  { title: 'a line in pieces', input: ['a', 'b', '\n'], frames: ['ab'], passed: 'ab\n' },
  {
    title: 'a long line in pieces',
    input: ['x'.repeat(150), 'y'.repeat(150), '\n'],
    frames: [`${'x'.repeat(150)}${'y'.repeat(150)}`],
  },
  { title: 'the rest at the end', input: ['a\nb'], frames: ['a', 'b'], passed: 'a\nb\n' },
  {
    title: 'frames',
    input: ['Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\n{  }'],
    frames: ['{}', '{  }'],
    passed: '{}\n{  }\n',
  },
  {
    title: 'a frame in pieces',
    input: ['Conte', 'nt-Length: 2', '\r\n\r', '\n{', '}'],
    frames: ['{}'],
    passed: '{}\n',
  },
  {
    title: 'a frame with new lines',
    input: ['Content-Length: 5\n\n{\n\n\n}'],
    frames: ['{\n\n\n}'],
    passed: '{   }\n',
  },
  { title: 'a frame after a line', input: ['log\nContent-Length: 2\n\n{}log\n'], frames: ['log', '{}', 'log'] },
  { title: 'a header alone', input: ['Content-Length: 2\n'], frames: ['Content-Length: 2'] },
  { title: 'a header and a line', input: ['Content-Length: 2\n{"a":1}\n'], frames: ['Content-Length: 2', '{"a":1}'] },
  {
    title: 'a header and a body that is none',
    input: ['Content-Length: 2\n\nxx\n'],
    frames: ['Content-Length: 2', 'xx'],
  },
  { title: 'half a body', input: ['Content-Length: 20\n\n{"a":1}'], frames: ['{"a":1}'] },
];

describe('frames', () => {
  it.each(cases)('$title', ({ input, frames, passed }) => {
    const result = read(input);
    expect(result.frames).toEqual(frames);
    if (passed !== undefined) expect(result.passed).toBe(passed);
  });

  it('over the cap are counted whole, and shown whole to the tap', () => {
    const result = read(['x'.repeat(3000), `${'y'.repeat(3000)}\n{}\n`]);
    expect(result).toMatchObject({ frames: ['{}'], cut: [6000] });
    expect(result.passed).toBe(`${'x'.repeat(3000)}${'y'.repeat(3000)}\n{}\n`);
  });

  it('are the same however the bytes are cut', () => {
    const piece = fc.constantFrom(
      '{}',
      '\n',
      '\r\n',
      'Content-Length: 2',
      ': ',
      'x'.repeat(190),
      '[',
      'Content-Type: a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(400), { maxLength: 8 }), (pieces, cuts) => {
        const whole = pieces.join('');
        const at = [...new Set(cuts.filter((cut) => cut < whole.length))].sort((a, b) => a - b);
        const chunks = [0, ...at].map((from, index) => whole.slice(from, at[index] ?? whole.length));
        expect(read(chunks)).toEqual(read([whole]));
      }),
    );
  });

  it('lose no byte of lines without headers', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 }), (chunks) => {
        const all = Buffer.concat(chunks).toString('latin1');
        fc.pre(!/content-length/i.test(all));
        const { passed } = read(chunks, 250);
        expect(all.endsWith('\n') || all === '' ? passed : passed.slice(0, -1)).toBe(all);
      }),
    );
  });
});
