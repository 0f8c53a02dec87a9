import { PassThrough, type Readable, Writable } from 'node:stream';

/**
 * Splits the engine's attached stream into stdout and stderr, and waits for slow readers instead of piling up:
 *
 *     stream (1 byte: 1 stdout, 2 stderr) | 3 zero bytes | size, 4 bytes big-endian | that many bytes
 */

const headerBytes = 8;

export interface SplitStreams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export function splitFrames(attached: Readable): SplitStreams {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let header = Buffer.alloc(0);
  let leftInFrame = 0;
  let current = stdout;

  const take = (chunk: Buffer): { out: [PassThrough, Buffer][] } => {
    const out: [PassThrough, Buffer][] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (leftInFrame === 0) {
        const needed = headerBytes - header.length;
        header = Buffer.concat([header, rest.subarray(0, needed)]);
        rest = rest.subarray(needed);
        if (header.length < headerBytes) break;
        current = header[0] === 2 ? stderr : stdout;
        leftInFrame = header.readUInt32BE(4);
        header = Buffer.alloc(0);
      } else {
        const part = rest.subarray(0, leftInFrame);
        out.push([current, part]);
        leftInFrame -= part.length;
        rest = rest.subarray(part.length);
      }
    }
    return { out };
  };

  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const full = take(chunk).out.filter(([stream, part]) => !stream.write(part));
      const slow = [...new Set(full.map(([stream]) => stream))].filter(
        (stream) => stream.writableNeedDrain && !stream.destroyed,
      );
      if (slow.length === 0) return done();
      let waiting = slow.length;
      for (const stream of slow) {
        const onDrain = (): void => {
          stream.off('drain', onDrain);
          stream.off('close', onDrain);
          waiting -= 1;
          if (waiting === 0) done();
        };
        stream.on('drain', onDrain);
        stream.on('close', onDrain);
      }
      return undefined;
    },
    final(done) {
      stdout.end();
      stderr.end();
      done();
    },
  });
  attached.once('close', () => sink.end());
  attached.once('error', () => sink.end());
  attached.pipe(sink);
  return { stdout, stderr };
}
