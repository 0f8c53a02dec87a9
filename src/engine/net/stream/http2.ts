import { once } from 'node:events';
import { createServer } from 'node:http2';
import { exchange } from '../http/exchange.ts';
import type { StreamListener } from '../listener.ts';

/** HTTP/2 inside TLS, where both sides agreed on it. */
export const http2Stream: StreamListener = {
  id: 'http2',
  title: 'HTTP/2 inside TLS',
  claims: (_, tls) => tls?.alpn === 'h2',
  taste: () => 'no',
  async serve(conversation) {
    const { socket } = conversation;
    const server = createServer({ maxSessionMemory: 64, settings: { maxConcurrentStreams: 128 } });
    const pending = new Set<Promise<void>>();
    server.on('request', (incoming, outgoing) => {
      const done = exchange(incoming, outgoing, conversation)
        .catch(() => {
          socket.destroy();
        })
        .finally(() => pending.delete(done));
      pending.add(done);
    });
    server.on('sessionError', () => {
      // A broken session ends its socket, and that is all there is to know.
    });
    // Our sockets may be half open; a session that nobody can ask anything any more is over.
    socket.once('end', () => socket.end());
    server.emit('connection', socket);
    if (!socket.closed) await once(socket, 'close').catch(() => undefined);
    await Promise.all(pending);
  },
};
