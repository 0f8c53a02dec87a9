import { connect } from 'node:net';
import type { AuditInput } from '../contract.ts';
import { portOf } from './coverage.ts';

/** A name may have several addresses, of which this machine or the target serves only some. One of them is looked at. */

const mostAddresses = 8;
const connectMs = 4000;

function takesConnection(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectMs });
    const end = (isTaken: boolean): void => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

export interface Reachable {
  readonly input: AuditInput;
  readonly note: string | null;
}

/** The first address that takes a connection is the first of the list; where none does, the list stays as it is. */
export async function reachableFirst(input: AuditInput): Promise<Reachable> {
  const { addresses, host, url, ports } = input;
  const port = url === '' ? ports[0]?.from : portOf(new URL(url));
  if (addresses.length < 2 || port === undefined) return { input, note: null };
  const silent: string[] = [];
  for (const address of addresses.slice(0, mostAddresses)) {
    if (await takesConnection(address, port)) {
      const others = addresses.filter((each) => each !== address);
      const without = silent.length === 0 ? '' : `; no connection to ${silent.join(', ')}`;
      const note = `${host} has ${addresses.length} addresses, and only ${address} was looked at${without}`;
      return { input: { ...input, addresses: [address, ...others] }, note };
    }
    silent.push(address);
  }
  return { input, note: `${host} has ${addresses.length} addresses; no connection to ${silent.join(', ')}` };
}
