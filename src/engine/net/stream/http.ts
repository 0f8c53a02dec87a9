import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { keepBytes } from '../event.ts';
import { exchange, hostOf } from '../http/exchange.ts';
import type { Conversation, StreamListener, Taste } from '../listener.ts';
import { rawStream } from './raw.ts';

/** HTTP/1.1, tunnels through it (CONNECT) and WebSockets. */

const requestLine = /^[A-Z][A-Z-]{1,19} [^\r\n]* HTTP\/1\.[01]\r?\n/;
const beginning = /^(?:[A-Z][A-Z-]{0,19}|[A-Z][A-Z-]{1,19} [^\r\n]*\r?)$/;
const longestLine = 32 * 1024;

export function tasteHttp(bytes: Buffer): Taste {
  const text = bytes.subarray(0, longestLine).toString('latin1');
  if (requestLine.test(text)) return 'yes';
  return bytes.length < longestLine && beginning.test(text) ? 'more' : 'no';
}

/** The box asks a proxy for a way to somebody else: it gets one, to the same fake internet. */
async function tunnel(request: IncomingMessage, socket: Duplex, head: Buffer, from: Conversation): Promise<void> {
  const authority = request.url ?? '';
  const port = Number(/:(\d{1,5})$/.exec(authority)?.[1] ?? 443);
  const name = hostOf(authority);
  await from.record('http-request', {
    fields: {
      method: 'CONNECT',
      host: name,
      path: authority,
      version: request.httpVersion,
      headers: [],
      isWhole: true,
    },
  });
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) socket.unshift(head);
  await from.continueWith(socket, { asked: { address: from.world.names.addressesOf(name).ipv4, port, name } });
}

const webSocketKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A WebSocket is accepted and listened to; what is said in it is kept as raw bytes. */
async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: Conversation): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const kind = String(headers.upgrade ?? '').toLowerCase();
  await from.record('http-request', {
    fields: {
      method,
      host: hostOf(headers.host ?? ''),
      path: url,
      version: request.httpVersion,
      upgrade: kind,
      isWhole: true,
    },
  });
  if (kind !== 'websocket') {
    socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    return;
  }
  const key = String(headers['sec-websocket-key'] ?? '');
  const accept = createHash('sha1').update(`${key}${webSocketKey}`).digest('base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: Upgrade'];
  socket.write([...lines, `sec-websocket-accept: ${accept}`, '', ''].join('\r\n'));
  if (head.length > 0) socket.unshift(head);
  await rawStream.serve({ ...from, socket, asked: { ...from.asked, port: 0 } });
}

export const httpStream: StreamListener = {
  id: 'http',
  title: 'HTTP/1.1 on any port, with tunnels and WebSockets',
  claims: () => false,
  taste: (bytes) => tasteHttp(bytes),
  async serve(conversation) {
    const { socket, world } = conversation;
    // One server object per connection: it never listens, it only parses, and it knows whose requests it has.
    const server = createServer({ keepAliveTimeout: world.config.caps.idleMs, maxHeaderSize: 64 * 1024 });
    const pending = new Set<Promise<void>>();
    const track = (work: Promise<void>): void => {
      const done = work
        .catch(() => {
          socket.destroy();
        })
        .finally(() => pending.delete(done));
      pending.add(done);
    };
    server.on('request', (incoming, outgoing) => track(exchange(incoming, outgoing, conversation)));
    server.on('connect', (incoming, stream: Duplex, head: Buffer) =>
      track(tunnel(incoming, stream, head, conversation)),
    );
    server.on('upgrade', (incoming, stream: Duplex, head: Buffer) =>
      track(upgrade(incoming, stream, head, conversation)),
    );
    server.on('clientError', (error: Error & { rawPacket?: Buffer; code?: string }, stream: Duplex) => {
      const bytes = keepBytes(error.rawPacket ?? Buffer.alloc(0), world.config.caps.keptBytes);
      if (bytes.base64 !== '') {
        track(conversation.record('raw-bytes', { fields: { direction: 'from-box', reason: error.code ?? '' }, bytes }));
      }
      stream.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    });
    server.emit('connection', socket);
    if (!socket.closed) await once(socket, 'close').catch(() => undefined);
    await Promise.all(pending);
  },
};
