import { connect, type Socket } from 'node:net';
import { addressBytes } from '../addresses.ts';
import { reset } from './reset.ts';

/** Connects to an address that has been checked. It never looks anything up. */
export type ConnectAddress = (address: string, port: number, signal: AbortSignal) => Promise<Socket>;

function neverLookUp(hostname: string, _: unknown, done: (error: Error, address: string) => void): void {
  done(new TypeError(`${hostname} is no address`), '');
}

/**
 * On loopback the system may choose the very port as the sender's that is connected to, and a connection to a port where
 * nobody listens then meets itself.
 */
function hasMetItself({ localAddress, localPort, remoteAddress, remotePort }: Socket): boolean {
  return localPort === remotePort && localAddress === remoteAddress;
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
      if (!hasMetItself(socket)) {
        resolve(socket);
        return;
      }
      reset(socket);
      reject(Object.assign(new Error(`connect ECONNREFUSED ${address}:${port}`), { code: 'ECONNREFUSED' }));
    });
  });
