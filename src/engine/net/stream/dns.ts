import type { Duplex } from 'node:stream';
import { answerMessage } from '../dns/serve.ts';
import type { Datagram, StreamListener } from '../listener.ts';
import { chunksOf } from './first-bytes.ts';

/** Messages on a stream: length (2 bytes), message, … Port 853 is the same inside TLS. */
const tlsPort = 853;

/** Answers every message of a stream, to its end. */
export async function answerMessages(socket: Duplex, exchange: Pick<Datagram, 'world' | 'record'>): Promise<void> {
  let waiting = Buffer.alloc(0);
  for await (const chunk of chunksOf(socket)) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0);
      const answer = await answerMessage(waiting.subarray(2, end), exchange, 'tcp');
      waiting = waiting.subarray(end);
      if (answer === null) continue;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    }
  }
  socket.end();
}

export const dnsStream: StreamListener = {
  id: 'dns-tcp',
  title: 'DNS over TCP and over TLS',
  claims: (port, tls) => (tls === null ? port === 53 : port === tlsPort),
  taste: () => 'no',
  serve: (conversation) => answerMessages(conversation.socket, conversation),
};
