import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostError } from '../../base/errors.ts';
import { splitFrames } from './docker-frames.ts';

function frame(stream: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(stream, 0);
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
}

describe('frames of the docker engine', () => {
  it('are taken apart wherever the chunks are cut', async () => {
    const body = fc.uint8Array({ maxLength: 30 });
    const frames = fc.array(fc.tuple(fc.constantFrom(1, 2), body), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(frames, fc.integer({ min: 1, max: 20 }), async (list, step) => {
        const all = Buffer.concat(list.map(([stream, content]) => frame(stream, content)));
        const chunks = Array.from({ length: Math.ceil(all.length / step) }, (_, at) =>
          all.subarray(at * step, (at + 1) * step),
        );
        const { stdout, stderr, done } = splitFrames(Readable.from(chunks, { objectMode: false }));
        const [out, problems] = await Promise.all([buffer(stdout), buffer(stderr), done]);
        const wanted = (which: number): Buffer =>
          Buffer.concat(list.filter(([stream]) => stream === which).map(([, content]) => content));
        expect([out, problems]).toEqual([wanted(1), wanted(2)]);
      }),
    );
  });

  it('say so when they are none', async () => {
    const { stdout, stderr, done } = splitFrames(Readable.from([Buffer.from('HTTP/1.1 500')], { objectMode: false }));
    stdout.resume();
    stderr.resume();
    await expect(done).rejects.toThrow(HostError);
  });

  it('let nothing pile up when nobody reads', async () => {
    let given = 0;
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (; given < 1000; given += 1) yield frame(1, Buffer.alloc(16_384));
    };
    const { stdout, stderr, done } = splitFrames(Readable.from(endless(), { objectMode: false }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(given).toBeLessThan(50);
    stdout.destroy();
    stderr.destroy();
    await done;
  });
});
