import { connect, type Socket } from 'node:net';
import { addressBytes } from '../addresses.ts';

/** Connects to an address that has been checked. It never looks anything up. */
export type ConnectAddress = (address: string, port: number, signal: AbortSignal) => Promise<Socket>;

function neverLookUp(hostname: string, _: unknown, done: (error: Error, address: string) => void): void {
  done(new TypeError(`${hostname} is no address`), '');
}

export const connectAddress: ConnectAddress = (address, port, signal) =>
  new Promise((resolve, reject) => {
    if (addressBytes(address) === null) throw new TypeError(`${address} is no address`);
    const socket = connect({ host: address, port, allowHalfOpen: true, noDelay: true, lookup: neverLookUp });
    const giveUp = (): void => {
      socket.destroy(new Error('it took too long'));
    };
    const settle = (): void => {
      signal.removeEventListener('abort', giveUp);
      socket.removeListener('error', fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    socket.once('error', fail);
    socket.once('connect', () => {
      settle();
      resolve(socket);
    });
  });
