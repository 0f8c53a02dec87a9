import koffi from 'koffi';
import { numberOf } from './numbers.ts';

/** The kernel's functions that serving notifications takes, declared once: a call costs about 0.2 microseconds. */

const library = koffi.load(null);

/** Addresses are plain numbers here: turning a buffer into one for every call takes longer. */
export const control: (fd: number, request: number, argument: number) => number = library.func('ioctl', 'int', [
  'int',
  'unsigned long',
  'unsigned long',
]);
export const readMemory: (
  pid: number,
  local: number,
  localCount: number,
  remote: number,
  remoteCount: number,
  flags: number,
) => number = library.func('process_vm_readv', 'long', [
  'int',
  'unsigned long',
  'unsigned long',
  'unsigned long',
  'unsigned long',
  'unsigned long',
]);
const callSystem: (number: number, first: number, second: number, third: number) => number = library.func(
  'long syscall(long number, long first, long second, long third)',
);
const waitForEntries: (entries: Buffer, count: number, timeoutMs: number) => number = library.func(
  'int poll(void *entries, unsigned long count, int timeout)',
);
const createPipeEnds: (ends: Buffer, flags: number) => number = library.func('int pipe2(void *ends, int flags)');
const createEventCounter: (start: number, flags: number) => number = library.func(
  'int eventfd(unsigned int start, int flags)',
);

export function lastError(): number {
  return koffi.errno();
}

/** It stays the same for memory that lies outside the collector's own; a buffer's does. */
export function addressOf(buffer: Buffer): number {
  return Number(koffi.address(buffer));
}

export const errors = { noCall: 38, notPermitted: 1, noEntry: 2, interrupted: 4 } as const;

export const requests = {
  receive: 0xc050_2100,
  send: 0xc018_2101,
  processInfo: 0xc040_ff0b,
} as const;
/**
 * For rehearsals: both ask a pipe how much is in it. The kernel does not look at the upper half, which makes them
 * numbers of the same kind as the true ones: code that was compiled for one kind is thrown away when it meets another.
 */
export const pretendedRequests = { receive: 0x1_0000_541b, send: 0x1_0000_541b } as const;
const setFlagsRequest = 0x4008_2104;
const wakeOnSameProcessor = 1;

/** Hands over to the waiting caller on the same processor, and back; kernels before 6.6 cannot. */
export function wakeTogether(listener: number): void {
  control(listener, setFlagsRequest, wakeOnSameProcessor);
}

const numbers = { tgkill: numberOf('tgkill'), pidfd_open: numberOf('pidfd_open') };

export function isThreadOf(process: number, thread: number): boolean {
  return callSystem(numbers.tgkill, process, thread, 0) === 0;
}

/** -1 where there is no such process, or no room for another descriptor. */
export function openProcess(pid: number): number {
  return callSystem(numbers.pidfd_open, pid, 0, 0);
}

/**
 * `struct pidfd_info`, first version: mask u64, control group u64, pid u32, process u32, parent u32, ..., and in the
 * last word how it ended. Kernels since 6.13 fill it, and since 6.15 they keep the end for the descriptor's holder.
 */
const infoBytes = 64;
const parentOffset = 24;
const endOffset = infoBytes - 4;
const endBit = 8;

export class ProcessInfo {
  readonly #info = Buffer.from(new ArrayBuffer(infoBytes));
  readonly #address = addressOf(this.#info);

  /** Null where the kernel does not tell. */
  parent(pidfd: number): number | null {
    return this.#ask(pidfd, 0) ? this.#info.readUInt32LE(parentOffset) : null;
  }

  /** How it ended, as `wait` gives it. */
  end(pidfd: number): number | null {
    if (!this.#ask(pidfd, endBit)) return null;
    return (this.#info.readUInt32LE(0) & endBit) === 0 ? null : this.#info.readInt32LE(endOffset);
  }

  #ask(pidfd: number, mask: number): boolean {
    this.#info.fill(0);
    this.#info.writeUInt32LE(mask, 0);
    return control(pidfd, requests.processInfo, this.#address) === 0;
  }
}

const closeOnExec = 0x80000;
const nonBlocking = 0x800;

/** A descriptor that another thread can write to in order to wake whoever polls it. */
export function createWaker(): number {
  return createEventCounter(0, closeOnExec | nonBlocking);
}

/** Both ends of a pipe: to read from, and to write to. */
export function createPipe(): readonly [number, number] {
  const ends = Buffer.alloc(8);
  if (createPipeEnds(ends, closeOnExec) !== 0) throw new Error(`cannot make a pipe: error ${lastError()}`);
  return [ends.readInt32LE(0), ends.readInt32LE(4)];
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

  /** The last one takes its place, with what was found of it. */
  remove(fd: number): void {
    const place = this.#places.get(fd);
    if (place === undefined) return;
    this.#places.delete(fd);
    this.#count -= 1;
    if (place === this.#count) return;
    this.#entries.copyWithin(place * entryBytes, this.#count * entryBytes, (this.#count + 1) * entryBytes);
    this.#places.set(this.fd(place), place);
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
