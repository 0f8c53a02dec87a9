import koffi from 'koffi';
import { HostError } from '../../../base/errors.ts';

/**
 * Sockets that answer for every address and port. Node can neither set IP_TRANSPARENT nor tell which address a datagram
 * was sent to, so the sockets are made here; streams are handed to Node, datagrams are read here.
 */

const library = koffi.load(null);
const makeSocket = library.func('int socket(int family, int type, int protocol)');
const setOption = library.func('int setsockopt(int fd, int level, int name, void *value, uint32_t length)');
const bindTo = library.func('int bind(int fd, void *address, uint32_t length)');
const listenOn = library.func('int listen(int fd, int backlog)');
export const receive = library.func('long recvmsg(int fd, void *message, int flags)');

export type Family = 'ipv4' | 'ipv6';

const families = { ipv4: 2, ipv6: 10 } as const;
const types = { stream: 1, datagram: 2 } as const;
const closeOnExec = 0x80000;

const option = {
  reuseAddress: [1, 2],
  receiveBufferForce: [1, 33],
  receiveTimeout: [1, 20],
  countOverflow: [1, 40],
  transparent: [0, 19],
  originalAddress: [0, 20],
  transparentIpv6: [41, 75],
  originalAddressIpv6: [41, 74],
  onlyIpv6: [41, 26],
} as const satisfies Readonly<Record<string, readonly [level: number, name: number]>>;

type OptionName = keyof typeof option;

function fail(operation: string): never {
  throw new HostError(`cannot ${operation}: errno ${koffi.errno()}`);
}

function set(fd: number, name: OptionName, value: Buffer): void {
  const [level, number] = option[name];
  if (setOption(fd, level, number, value, value.length) !== 0) fail(`set ${name} on a socket`);
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

/** `struct timeval` of 64-bit Linux. */
function time(milliseconds: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64LE(BigInt(Math.floor(milliseconds / 1000)));
  bytes.writeBigInt64LE(BigInt((milliseconds % 1000) * 1000), 8);
  return bytes;
}

/** The wildcard address of a family with a port. */
function anyAddress(family: Family, port: number): Buffer {
  const bytes = Buffer.alloc(family === 'ipv4' ? 16 : 28);
  bytes.writeUInt16LE(families[family]);
  bytes.writeUInt16BE(port, 2);
  return bytes;
}

function open(family: Family, type: keyof typeof types, port: number): number {
  const fd: number = makeSocket(families[family], types[type] | closeOnExec, 0);
  if (fd < 0) fail(`make a ${family} socket`);
  set(fd, 'reuseAddress', int(1));
  if (family === 'ipv6') set(fd, 'onlyIpv6', int(1));
  set(fd, family === 'ipv4' ? 'transparent' : 'transparentIpv6', int(1));
  const address = anyAddress(family, port);
  if (bindTo(fd, address, address.length) !== 0) fail(`bind a ${family} socket to port ${port}`);
  return fd;
}

const backlog = 1024;

/** A listening socket that Node's `listen({ fd })` takes over. */
export function openStreamSocket(family: Family, port: number): number {
  const fd = open(family, 'stream', port);
  if (listenOn(fd, backlog) !== 0) fail(`listen on ${family} port ${port}`);
  return fd;
}

export interface DatagramSocketOptions {
  readonly receiveBufferBytes: number;
  readonly timeoutMs: number;
}

export function openDatagramSocket(family: Family, port: number, options: DatagramSocketOptions): number {
  const fd = open(family, 'datagram', port);
  set(fd, family === 'ipv4' ? 'originalAddress' : 'originalAddressIpv6', int(1));
  set(fd, 'countOverflow', int(1));
  set(fd, 'receiveBufferForce', int(options.receiveBufferBytes));
  set(fd, 'receiveTimeout', time(options.timeoutMs));
  return fd;
}
