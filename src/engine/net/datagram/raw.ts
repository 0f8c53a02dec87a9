import { keepBytes } from '../event.ts';
import type { DatagramListener } from '../listener.ts';

export const rawDatagrams: DatagramListener = {
  id: 'raw-udp',
  title: 'every other UDP port: keeps what is said and stays silent',
  recognises: () => true,
  async serve({ bytes, world, record }) {
    await record('raw-bytes', {
      fields: { direction: 'from-box' },
      bytes: keepBytes(bytes, world.config.caps.keptBytes),
    });
    return null;
  },
};
