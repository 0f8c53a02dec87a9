import type { Socket } from 'node:net';
import { callSystem } from '../../../base/ffi.ts';

const socketLevel = 1;
const linger = 13;
/** `struct linger`: on, and for no time at all. */
const notAtAll = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);

/** Node tells the descriptor only here; there is none when the socket is not open yet, or no longer. */
function descriptorOf(socket: Socket): number {
  return (socket as unknown as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd ?? -1;
}

/**
 * A reset, so that nobody takes a connection that broke for one that ended well. Node's own `resetAndDestroy` cannot be
 * used: a socket that is being shut down at that moment stays open, and its `close` never comes.
 */
export function reset(socket: Socket): void {
  const descriptor = descriptorOf(socket);
  // The kernel refuses it for sockets that nobody is connected to, which a plain close is right for.
  if (descriptor >= 0) callSystem('setsockopt', descriptor, socketLevel, linger, notAtAll, notAtAll.length);
  socket.destroy();
}
