import { keepBytes } from '../event.ts';
import type { DatagramListener } from '../listener.ts';
import { isQuicInitial, readQuicHello } from '../tls/quic.ts';

/** QUIC is not spoken: a client that hears nothing falls back to TCP, where it is heard in full. */
export const quicDatagrams: DatagramListener = {
  id: 'quic',
  title: 'QUIC: reads whom the first packet is for and stays silent, so that the client falls back to TCP',
  recognises: (bytes) => isQuicInitial(bytes),
  async serve({ bytes, world, record }) {
    const hello = readQuicHello(bytes);
    const fields =
      hello === null
        ? { isReadable: false }
        : { isReadable: true, serverName: hello.serverName, alpn: hello.alpn, ciphers: hello.ciphers };
    await record('quic-hello', { fields, bytes: keepBytes(bytes, world.config.caps.keptBytes) });
    return null;
  },
};
