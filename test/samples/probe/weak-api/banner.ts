import { createServer, type Server } from 'node:net';
import { services } from './planted.ts';

/** Greets like an old file server; the sound twin says nothing before it is spoken to, and no version. */
export function startBanner(isSound: boolean): Server {
  return createServer((socket) => {
    socket.setTimeout(30_000, () => socket.destroy());
    if (!isSound) socket.write(services.banner.text);
    socket.on('data', (chunk) => {
      const isQuit = chunk.toString('latin1').toUpperCase().startsWith('QUIT');
      if (isQuit) socket.end('221 Goodbye.\r\n');
      else socket.write('530 Please login with USER and PASS.\r\n');
    });
  });
}
