import { dnsDatagrams } from '../datagram/dns.ts';
import { type EventField, keepBytes } from '../event.ts';
import type { DatagramListener } from '../listener.ts';
import { isQuicInitial, readQuicHello } from '../tls/quic.ts';

/** Whom a QUIC packet is for, so that the refusal says what the box was after. */
function describe(bytes: Buffer): Readonly<Record<string, EventField>> {
  if (!isQuicInitial(bytes)) return {};
  return { protocol: 'quic', serverName: readQuicHello(bytes)?.serverName ?? null };
}

/** Silence makes QUIC clients fall back to TCP, where the gate can carry them. */
const refusedDatagrams: DatagramListener = {
  id: 'refused-udp',
  title: 'UDP in front of the egress gate: recorded and refused',
  recognises: () => true,
  async serve({ bytes, world, record }) {
    const fields = { because: 'datagram', detail: 'nothing but DNS goes over UDP', ...describe(bytes) };
    await record('egress-refused', { fields, bytes: keepBytes(bytes, world.config.caps.keptBytes) });
    return null;
  },
};

export const gateDatagramListeners: readonly DatagramListener[] = [
  { ...dnsDatagrams, recognises: (_, port) => port === 53 },
  refusedDatagrams,
];
