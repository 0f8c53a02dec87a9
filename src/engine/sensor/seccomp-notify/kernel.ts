import koffi from 'koffi';
import { numberOf } from './numbers.ts';

/** The kernel's functions that serving notifications takes, declared once: a call costs about 0.2 microseconds. */

const library = koffi.load(null);

export const control: (fd: number, request: number, argument: Buffer) => number = library.func(
  'int ioctl(int fd, unsigned long request, void *argument)',
);
/** The same call, for requests whose argument is a number. */
const controlByNumber: (fd: number, request: number, argument: number) => number = library.func('ioctl', 'int', [
  'int',
  'unsigned long',
  'unsigned long',
]);
export const readMemory: (
  pid: number,
  local: Buffer,
  localCount: number,
  remote: Buffer,
  remoteCount: number,
  flags: number,
) => number = library.func(
  'long process_vm_readv(int pid, void *local, unsigned long a, void *remote, unsigned long b, unsigned long flags)',
);
const callSystem: (number: number, first: number, second: number, third: number) => number = library.func(
  'long syscall(long number, long first, long second, long third)',
);
const waitForEntries: (entries: Buffer, count: number, timeoutMs: number) => number = library.func(
  'int poll(void *entries, unsigned long count, int timeout)',
);
const createEventCounter: (start: number, flags: number) => number = library.func(
  'int eventfd(unsigned int start, int flags)',
);

export function lastError(): number {
  return koffi.errno();
}

export function addressOf(buffer: Buffer): bigint {
  return koffi.address(buffer);
}

export const errors = { noCall: 38, notPermitted: 1, noEntry: 2, interrupted: 4 } as const;

export const requests = {
  receive: 0xc050_2100,
  send: 0xc018_2101,
  processInfo: 0xc040_ff0b,
} as const;
const setFlagsRequest = 0x4008_2104;
const wakeOnSameProcessor = 1;

/** Hands over to the waiting caller on the same processor, and back; kernels before 6.6 cannot. */
export function wakeTogether(listener: number): void {
  controlByNumber(listener, setFlagsRequest, wakeOnSameProcessor);
}

const numbers = { tgkill: numberOf('tgkill'), pidfd_open: numberOf('pidfd_open') };

export function isThreadOf(process: number, thread: number): boolean {
  return callSystem(numbers.tgkill, process, thread, 0) === 0;
}

/** -1 where there is no such process, or no room for another descriptor. */
export function openProcess(pid: number): number {
  return callSystem(numbers.pidfd_open, pid, 0, 0);
}

/** `struct pidfd_info`: mask u64, ..., and how it ended in the last word of the first version. */
const infoBytes = 64;
const endBit = 8;

/** How a process ended, as `wait` gives it; kernels since 6.15 keep it for the descriptor's holder. */
export function askHowEnded(pidfd: number): number | null {
  const info = Buffer.alloc(infoBytes);
  info.writeUInt32LE(endBit, 0);
  if (control(pidfd, requests.processInfo, info) !== 0) return null;
  return (info.readUInt32LE(0) & endBit) === 0 ? null : info.readInt32LE(infoBytes - 4);
}

const closeOnExec = 0x80000;
const nonBlocking = 0x800;

/** A descriptor that another thread can write to in order to wake whoever polls it. */
export function createWaker(): number {
  return createEventCounter(0, closeOnExec | nonBlocking);
}

/** `struct pollfd`: descriptor i32, what is asked i16, what is the case i16. */
const entryBytes = 8;
const casesAt = 6;
const readable = 0x1;
const hungUp = 0x10;

/**
 * Waits for many descriptors. Plain `poll`, because with it the kernel hands the processor over to us directly when a
 * caller begins to wait; through `epoll` the way is longer by a wake-up on another processor.
 */
export class Poll {
  #entries = Buffer.alloc(entryBytes * 64);
  #count = 0;
  readonly #places = new Map<number, number>();

  get count(): number {
    return this.#count;
  }

  add(fd: number): void {
    if (entryBytes * (this.#count + 1) > this.#entries.length) {
      this.#entries = Buffer.concat([this.#entries, Buffer.alloc(this.#entries.length)]);
    }
    this.#set(this.#count, fd);
    this.#count += 1;
  }

  /** The last one takes its place. */
  remove(fd: number): void {
    const place = this.#places.get(fd);
    if (place === undefined) return;
    this.#places.delete(fd);
    this.#count -= 1;
    if (place < this.#count) this.#set(place, this.fd(this.#count));
  }

  /** How many are ready; 0 also after a signal. */
  wait(timeoutMs: number): number {
    return Math.max(0, waitForEntries(this.#entries, this.#count, timeoutMs));
  }

  fd(place: number): number {
    return this.#entries.readInt32LE(place * entryBytes);
  }

  isReady(place: number): boolean {
    return this.#entries.readInt16LE(place * entryBytes + casesAt) !== 0;
  }

  isReadable(place: number): boolean {
    return (this.#entries.readInt16LE(place * entryBytes + casesAt) & readable) !== 0;
  }

  isHungUp(place: number): boolean {
    return (this.#entries.readInt16LE(place * entryBytes + casesAt) & hungUp) !== 0;
  }

  #set(place: number, fd: number): void {
    this.#entries.writeInt32LE(fd, place * entryBytes);
    this.#entries.writeInt32LE(readable, place * entryBytes + 4);
    this.#places.set(fd, place);
  }
}
