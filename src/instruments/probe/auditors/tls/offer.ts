import { connect } from 'node:net';
import { secondMs } from '../../../../base/limits.ts';
import { AuditFailure, failureOf } from '../client/failure.ts';
import { type HelloAnswer, type HelloOffer, readHelloAnswer, writeHello } from './hello.ts';

export interface Peer {
  readonly address: string;
  readonly port: number;
}

const answerMs = 8 * secondMs;

/**
 * Makes one offer over a connection of its own. A server that hangs up instead of sending an alert has refused as well;
 * one that says nothing has not, and that rejects.
 */
export function offerHello({ address, port }: Peer, offer: HelloOffer, timeoutMs = answerMs): Promise<HelloAnswer> {
  return new Promise((resolve, reject) => {
    const at = `${address}:${port}`;
    const socket = connect({ host: address, port });
    let received = Buffer.alloc(0);
    let isConnected = false;
    const timer = setTimeout(() => {
      reject(new AuditFailure('timeout', `no answer to a TLS hello within ${timeoutMs} ms: ${at}`));
      socket.destroy();
    }, timeoutMs);
    const end = (answer: HelloAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      socket.destroy();
    };
    socket.once('connect', () => {
      isConnected = true;
      socket.write(writeHello(offer));
    });
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part]);
      const answer = readHelloAnswer(received);
      if (answer !== null) end(answer);
    });
    socket.on('error', (error) => {
      clearTimeout(timer);
      if (isConnected) end({ is: 'refused', alert: -1 });
      else reject(failureOf(error, at));
    });
    socket.once('close', () => end({ is: 'refused', alert: -1 }));
  });
}
