import { dnsDatagrams } from './datagram/dns.ts';
import { quicDatagrams } from './datagram/quic.ts';
import { rawDatagrams } from './datagram/raw.ts';
import { timeDatagrams } from './datagram/time.ts';
import type { DatagramListener, StreamListener } from './listener.ts';
import { dnsStream } from './stream/dns.ts';
import { httpStream } from './stream/http.ts';
import { http2Stream } from './stream/http2.ts';
import { rawStream } from './stream/raw.ts';
import { smtpStream } from './stream/smtp.ts';
import { tlsStream } from './stream/tls.ts';

/** In the order in which they are asked; the last one of each list takes everything. */
export const streamListeners: readonly StreamListener[] = [
  dnsStream,
  smtpStream,
  http2Stream,
  tlsStream,
  httpStream,
  rawStream,
];

export const datagramListeners: readonly DatagramListener[] = [
  dnsDatagrams,
  timeDatagrams,
  quicDatagrams,
  rawDatagrams,
];
