import { createServer, type TLSSocket } from 'node:tls';
import { certificateHost } from '../certificates/authority.ts';
import { keepBytes } from '../event.ts';
import type { Conversation, StreamListener } from '../listener.ts';
import { type ClientHello, readClientHello, tasteHello } from '../tls/client-hello.ts';
import { lookAtFirstBytes } from './first-bytes.ts';

const spoken: readonly string[] = ['h2', 'http/1.1'];
const largestHello = 64 * 1024;
const handshakeMs = 15_000;
const longestReason = 300;

/** The protocol to agree to: one that we speak, otherwise the first one offered, so that the client goes on talking. */
export function chooseProtocol(offered: readonly string[]): string | undefined {
  return spoken.find((protocol) => offered.includes(protocol)) ?? offered[0];
}

/** The certificate is for the name in the hello, or else for the asked address and the name that it stands for. */
function hostsFor(hello: ClientHello | null, { asked }: Conversation): readonly string[] {
  const named = hello?.serverName == null ? null : certificateHost(hello.serverName);
  if (named !== null) return [named];
  const mapped = asked.name === null ? null : certificateHost(asked.name);
  return mapped === null ? [asked.address] : [mapped, asked.address];
}

async function recordHello(conversation: Conversation, bytes: Buffer, hello: ClientHello | null): Promise<void> {
  const fields =
    hello === null
      ? { isReadable: false }
      : {
          isReadable: true,
          serverName: hello.serverName,
          alpn: hello.alpn,
          version: hello.version,
          ciphers: hello.ciphers,
          extensions: hello.extensions,
        };
  await conversation.record('tls-hello', { fields, bytes: keepBytes(bytes, conversation.world.config.caps.keptBytes) });
}

interface Handshake {
  readonly secure: TLSSocket | null;
  /** Why it failed: a pinned certificate, an unknown authority, no common cipher. */
  readonly reason: string;
}

/** One server object per connection: it never listens, it only shakes hands, and it knows whose hand that is. */
function shakeHands(conversation: Conversation, hello: ClientHello | null): Promise<Handshake> {
  const { socket, world } = conversation;
  const hosts = hostsFor(hello, conversation);
  const server = createServer({
    ...world.certificates.optionsFor(hosts, hello?.serverName != null),
    ALPNCallback: ({ protocols }) => chooseProtocol(protocols),
    handshakeTimeout: handshakeMs,
  });
  server.on('keylog', (line) => world.logKeys(line));
  return new Promise((resolve) => {
    server.once('secureConnection', (secure) => resolve({ secure, reason: '' }));
    server.once('tlsClientError', (error: NodeJS.ErrnoException) => {
      resolve({ secure: null, reason: `${error.code ?? ''} ${error.message}`.trim().slice(0, longestReason) });
    });
    socket.once('close', () => resolve({ secure: null, reason: 'the connection ended' }));
    server.emit('connection', socket);
  });
}

export const tlsStream: StreamListener = {
  id: 'tls',
  title: 'TLS on any port, with a certificate made for the name that is asked for',
  claims: () => false,
  taste: (bytes) => tasteHello(bytes),
  async serve(conversation) {
    const { socket, world } = conversation;
    const limits = { timeoutMs: world.config.caps.tasteMs, capBytes: largestHello };
    const bytes = await lookAtFirstBytes(socket, (seen) => tasteHello(seen) !== 'more', limits);
    const hello = readClientHello(bytes);
    await recordHello(conversation, bytes, hello);
    const serverName = hello?.serverName ?? null;
    const { secure, reason } = await shakeHands(conversation, hello);
    if (secure === null) {
      await conversation.record('tls-failure', { fields: { serverName, reason } });
      socket.destroy();
      return;
    }
    secure.on('error', () => {
      // The streams above see the end; why it ended is no fault of ours.
    });
    const alpn = typeof secure.alpnProtocol === 'string' ? secure.alpnProtocol : null;
    await conversation.continueWith(secure, { tls: { serverName, alpn } });
  },
};
