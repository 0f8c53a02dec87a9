import { PassThrough, type Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitFrames } from './docker-frames.ts';

function frame(stream: 1 | 2, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('the attached stream of an engine', () => {
  it('is split into output and errors wherever it is cut', async () => {
    const frames = fc.array(
      fc.record({ stream: fc.constantFrom(1 as const, 2 as const), content: fc.uint8Array({ maxLength: 40 }) }),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(frames, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (list, cuts) => {
        const whole = Buffer.concat(list.map(({ stream, content }) => frame(stream, Buffer.from(content))));
        const attached = new PassThrough();
        const { stdout, stderr } = splitFrames(attached);
        const read = Promise.all([readAll(stdout), readAll(stderr)]);
        for (let at = 0, turn = 0; at < whole.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1;
          attached.write(whole.subarray(at, at + size));
          at += size;
        }
        attached.end();
        const expected = ([1, 2] as const).map((wanted) =>
          Buffer.concat(
            list.filter(({ stream }) => stream === wanted).map(({ content }) => Buffer.from(content)),
          ).toString('latin1'),
        );
        expect(await read).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('waits for a slow reader instead of piling up', async () => {
    const attached = new PassThrough({ highWaterMark: 1024 });
    const { stdout } = splitFrames(attached);
    let isAccepting = true;
    let written = 0;
    for (let count = 0; count < 1000 && isAccepting; count += 1) {
      isAccepting = attached.write(frame(1, Buffer.alloc(4096)));
      written += 4096;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(512 * 1024);
    stdout.resume();
    attached.end();
    await new Promise((resolve) => stdout.once('end', resolve));
  });
});
