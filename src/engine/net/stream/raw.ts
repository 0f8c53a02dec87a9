import { keepBytes } from '../event.ts';
import type { StreamListener } from '../listener.ts';
import { chunksOf } from './first-bytes.ts';

/** What servers of these ports say before they are spoken to; a client would wait for it. */
const banners: ReadonlyMap<number, string> = new Map([
  [21, '220 FTP server ready.\r\n'],
  [22, 'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n'],
  [23, 'login: '],
  [110, '+OK POP3 ready.\r\n'],
  [119, '200 news server ready\r\n'],
  [143, '* OK [CAPABILITY IMAP4rev1 LITERAL+ AUTH=PLAIN] ready.\r\n'],
  [995, '+OK POP3 ready.\r\n'],
  [993, '* OK [CAPABILITY IMAP4rev1 LITERAL+ AUTH=PLAIN] ready.\r\n'],
]);

/** The ports among them that are TLS from the first byte on: their banner comes inside. */
const tlsPorts: ReadonlySet<number> = new Set([993, 995]);

export const rawStream: StreamListener = {
  id: 'raw',
  title: 'every other TCP port: keeps what is said, greets where a greeting is expected',
  claims: (port, tls) => banners.has(port) && tlsPorts.has(port) === (tls !== null),
  taste: () => 'yes',
  async serve({ socket, asked, world, record }) {
    const { keptBytes, readBytes } = world.config.caps;
    const banner = banners.get(asked.port) ?? null;
    if (banner !== null) socket.write(banner);
    let seenBytes = 0;
    for await (const chunk of chunksOf(socket)) {
      const room = Math.max(0, keptBytes - seenBytes);
      seenBytes += chunk.length;
      await record('raw-bytes', { fields: { direction: 'from-box', banner }, bytes: keepBytes(chunk, room) });
      if (seenBytes <= readBytes) continue;
      await record('limit-hit', { fields: { limit: 'readBytes', seenBytes } });
      break;
    }
    socket.end();
  },
};
