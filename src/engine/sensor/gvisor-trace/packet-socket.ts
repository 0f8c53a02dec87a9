import koffi from 'koffi';
import { HostError } from '../../../base/errors.ts';

/** Unix sockets that keep packets apart (SOCK_SEQPACKET), which Node does not have. Nothing here waits but `poll`. */

const library = koffi.load(null);
const makeSocket = library.func('int socket(int family, int type, int protocol)');
const bindTo = library.func('int bind(int fd, void *address, uint32_t length)');
const listenOn = library.func('int listen(int fd, int backlog)');
const acceptFrom = library.func('int accept4(int fd, void *address, void *length, int flags)');
const receiveFrom = library.func('long recv(int fd, void *buffer, size_t length, int flags)');
const sendTo = library.func('long send(int fd, void *buffer, size_t length, int flags)');
const pollAll = library.func('int poll(void *fds, unsigned long count, int timeout)');
const closeFd = library.func('int close(int fd)');
const readClock = library.func('int clock_gettime(int clock, void *time)');

const unix = 1;
const sequencedPackets = 5;
const closeOnExec = 0o2000000;
const nonBlocking = 0o4000;
const doNotWait = 0x40;
const tellWholeLength = 0x20;
const noSignal = 0x4000;
const backlog = 128;
const errnos = { interrupted: 4, again: 11 } as const;
/** `sun_path` with the NUL at its end. */
export const longestSocketPath = 107;

function fail(operation: string): never {
  throw new HostError(`cannot ${operation}: errno ${koffi.errno()}`);
}

function isForLater(): boolean {
  const errno = koffi.errno();
  return errno === errnos.again || errno === errnos.interrupted;
}

export function listenAt(path: string): number {
  const name = Buffer.from(path);
  const address = Buffer.alloc(2 + longestSocketPath + 1);
  if (name.length > longestSocketPath) throw new HostError(`the path of a socket is too long: ${path}`);
  address.writeUInt16LE(unix);
  name.copy(address, 2);
  const fd: number = makeSocket(unix, sequencedPackets | closeOnExec | nonBlocking, 0);
  if (fd < 0) fail('make a packet socket');
  if (bindTo(fd, address, 2 + name.length + 1) === 0 && listenOn(fd, backlog) === 0) return fd;
  const errno = koffi.errno();
  closeFd(fd);
  throw new HostError(`cannot listen on ${path}: errno ${errno}`);
}

/** Null when nobody waits. */
export function acceptOne(listener: number): number | null {
  const fd: number = acceptFrom(listener, null, null, closeOnExec | nonBlocking);
  return fd < 0 ? null : fd;
}

/**
 * Length of the packet that is now in the buffer, `later` when there is none, `end` when there will be none. A length
 * above that of the buffer means that the rest is lost.
 */
export function receiveOne(fd: number, buffer: Buffer): number | 'later' | 'end' {
  const length = Number(receiveFrom(fd, buffer, buffer.length, doNotWait | tellWholeLength));
  if (length > 0) return length;
  return length < 0 && isForLater() ? 'later' : 'end';
}

export function sendOne(fd: number, packet: Uint8Array): boolean {
  return Number(sendTo(fd, Buffer.from(packet), packet.length, doNotWait | noSignal)) === packet.length;
}

export function closeSocket(fd: number): void {
  closeFd(fd);
}

const readable = 1;
const pollEntryBytes = 8;

/** Which of these can be read, or have ended. */
export function waitForAny(fds: readonly number[], timeoutMs: number): ReadonlySet<number> {
  const entries = Buffer.alloc(fds.length * pollEntryBytes);
  fds.forEach((fd, index) => {
    entries.writeInt32LE(fd, index * pollEntryBytes);
    entries.writeInt16LE(readable, index * pollEntryBytes + 4);
  });
  if (Number(pollAll(entries, fds.length, timeoutMs)) <= 0) return new Set();
  return new Set(fds.filter((_, index) => entries.readInt16LE(index * pollEntryBytes + 6) !== 0));
}

const clocks = { wall: 0, monotonic: 1 } as const;

/** Nanoseconds, as exact as the kernel has them. */
export function readTime(clock: keyof typeof clocks): bigint {
  const time = Buffer.alloc(16);
  if (readClock(clocks[clock], time) !== 0) fail(`read the ${clock} clock`);
  return time.readBigInt64LE(0) * 1_000_000_000n + time.readBigInt64LE(8);
}
