import { createServer, type Server } from 'node:net';
import { readClientHello } from '../../../../engine/net/tls/client-hello.ts';

/** For tests: answers a hello as a server would that still has what no library offers any more. It goes no further. */

export interface WeakServer {
  /** By version: the suites it agrees to, best first. */
  readonly suites: ReadonlyMap<number, readonly number[]>;
  readonly compression?: number;
  readonly isRenegotiationSecure?: boolean;
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const refusal = Buffer.from([21, 3, 0, 0, 2, 2, 40]);

function serverHello(
  version: number,
  suite: number,
  { compression = 0, isRenegotiationSecure = true }: WeakServer,
): Buffer {
  const extension = isRenegotiationSecure ? Buffer.from([0, 5, 0xff, 1, 0, 1, 0]) : Buffer.alloc(0);
  const body = Buffer.concat([
    u16(version),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    u16(suite),
    Buffer.from([compression]),
    extension,
  ]);
  const message = Buffer.concat([Buffer.from([2, 0]), u16(body.length), body]);
  return Buffer.concat([Buffer.from([22]), u16(version), u16(message.length), message]);
}

/** In two parts, so that whoever reads it has to wait for the second. */
export function makeWeakServer(weak: WeakServer): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      const hello = readClientHello(bytes);
      const suite = weak.suites.get(hello?.version ?? 0)?.find((id) => hello?.ciphers.includes(id));
      if (hello === null || suite === undefined) {
        socket.end(refusal);
        return;
      }
      const answer = serverHello(hello.version, suite, weak);
      socket.write(answer.subarray(0, 20));
      setImmediate(() => socket.end(answer.subarray(20)));
    });
  });
}
