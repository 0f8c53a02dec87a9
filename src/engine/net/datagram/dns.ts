import { answerMessage } from '../dns/serve.ts';
import type { DatagramListener } from '../listener.ts';

export const dnsDatagrams: DatagramListener = {
  id: 'dns-udp',
  title: 'DNS over UDP: every name has a stable fake address that maps back to it',
  // 5353 is multicast DNS, whose questions have the same form.
  recognises: (_, port) => port === 53 || port === 5353,
  serve: (datagram) => answerMessage(datagram.bytes, datagram, 'udp'),
};
