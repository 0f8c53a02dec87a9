import { PassThrough, type Readable } from 'node:stream';
import { HostError } from '../../base/errors.ts';

/** The engine sends both streams over one connection, in frames: a byte for the stream, three of nothing, four for the length. */

const headBytes = 8;
const beginningBytes = 300;

export interface Split {
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  /** How the standard output began: where no command was started, the engine puts there why. */
  beginning(): Buffer;
  /** When the connection has ended; rejects when what came was no frame. */
  readonly done: Promise<void>;
}

async function give(target: PassThrough, chunk: Buffer): Promise<void> {
  if (chunk.length === 0 || target.destroyed || target.write(chunk)) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      target.off('drain', go).off('close', go);
      resolve();
    };
    target.on('drain', go).on('close', go);
  });
}

export function splitFrames(source: Readable): Split {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

  let beginning = Buffer.alloc(0);

  const read = async (): Promise<void> => {
    let head = Buffer.alloc(0);
    let left = 0;
    let target = stdout;
    for await (const piece of source) {
      let chunk = piece as Buffer;
      while (chunk.length > 0) {
        if (left === 0) {
          const taken = chunk.subarray(0, headBytes - head.length);
          head = Buffer.concat([head, taken]);
          chunk = chunk.subarray(taken.length);
          if (head.length < headBytes) continue;
          const stream = head.readUInt8(0);
          if (stream > 2) throw new HostError('the docker engine sent something that is no frame of a stream');
          target = stream === 2 ? stderr : stdout;
          left = head.readUInt32BE(4);
          head = Buffer.alloc(0);
        }
        const body = chunk.subarray(0, left);
        left -= body.length;
        chunk = chunk.subarray(body.length);
        if (target === stdout && beginning.length === 0) beginning = Buffer.from(body.subarray(0, beginningBytes));
        await give(target, body);
      }
    }
  };
  const done = read().finally(() => {
    stdout.end();
    stderr.end();
  });
  return { stdout, stderr, done, beginning: () => beginning };
}
