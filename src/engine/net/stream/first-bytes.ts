import type { Duplex } from 'node:stream';

/** Resolves when there is something to read, when there never will be, or when the time is over. */
function untilReadable(socket: Duplex, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      for (const name of ['readable', 'end', 'close', 'error']) socket.removeListener(name, finish);
      resolve();
    };
    const timer = setTimeout(finish, timeoutMs);
    for (const name of ['readable', 'end', 'close', 'error']) socket.on(name, finish);
  });
}

/**
 * Looks at the beginning of a stream and puts it back. It ends when `isEnough` says so, at the end of the stream, or
 * when the time is over; then what has arrived so far is returned, and an empty buffer means that the peer is silent.
 */
export async function lookAtFirstBytes(
  socket: Duplex,
  isEnough: (bytes: Buffer) => boolean,
  limits: { readonly timeoutMs: number; readonly capBytes: number },
): Promise<Buffer> {
  const deadline = performance.now() + limits.timeoutMs;
  let seen = Buffer.alloc(0);
  while (!socket.destroyed && !socket.readableEnded) {
    const chunk = socket.read() as Buffer | null;
    if (chunk !== null) {
      seen = Buffer.concat([seen, chunk]);
      if (isEnough(seen) || seen.length >= limits.capBytes) break;
      continue;
    }
    const left = deadline - performance.now();
    if (left <= 0) break;
    await untilReadable(socket, left);
  }
  if (seen.length > 0 && !socket.destroyed && !socket.readableEnded) socket.unshift(seen);
  return seen;
}

/** The chunks of a stream; leaving the loop early leaves the stream open, so that a last answer still gets out. */
export function chunksOf(socket: Duplex): AsyncIterable<Buffer> {
  return socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}
