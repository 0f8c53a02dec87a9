import { hostArchitecture } from '../../../base/ffi.ts';
import { caps } from '../fields.ts';
import type { Reading } from './calls.ts';
import { addressOf } from './kernel.ts';
import { CallerMemory } from './memory.ts';
import { readLink } from './proc.ts';
import type { RecordWriter } from './record.ts';

/**
 * A caller that waits: `struct seccomp_notif` as the kernel fills it, and what its arguments point to, put down piece by
 * piece.
 *
 *   0 id u64 | 8 thread u32 | 12 flags u32 | 16 number i32 | 20 architecture u32 | 24 instruction u64 | 32 arguments 6 x u64
 */

const notificationWords = 20;
const threadAt = 2;
const numberAt = 4;
const argumentsAt = 8;
const argumentCount = 6;
const hereFolder = -100;
const emptyPathFlag = 0x1000;
const slash = 0x2f;
const pointerBytes = 8;
const pointersAtOnce = 64;
const messageBytes = 64;
const mostMessages = 1024;
/** The kernel takes no longer ones. */
const addressBytes = 128;

/** Bits of a pointer that the processor can be told to ignore. */
const addressBits = { x64: 0x81ff_ffff, arm64: 0x00ff_ffff } as const;

/** An address as a number; NaN when no address is that large. */
export function addressFrom(low: number, high: number, mask: number): number {
  const address = ((high & mask) >>> 0) * 2 ** 32 + low;
  return Number.isSafeInteger(address) ? address : Number.NaN;
}

export class Caller {
  readonly #words = new Uint32Array(notificationWords);
  readonly #blank = new Uint32Array(notificationWords);
  /** Where the kernel is to put it. */
  readonly notification = addressOf(Buffer.from(this.#words.buffer));
  readonly #writer: RecordWriter;
  readonly #memory: CallerMemory;
  readonly #mask = addressBits[hostArchitecture()];

  constructor(writer: RecordWriter) {
    this.#writer = writer;
    this.#memory = new CallerMemory(writer.bytes);
  }

  /** The kernel wants zeros where it writes. */
  clear(): void {
    this.#words.set(this.#blank);
  }

  /** From now on every caller is this one, unless somebody fills in another: for two arguments that are addresses. */
  pretend(thread: number, number: number, first: number, second: number): void {
    this.#blank[threadAt] = thread;
    this.#blank[numberAt] = number;
    for (const [at, address] of [first, second].entries()) {
      this.#blank[argumentsAt + 2 * at] = address % 2 ** 32;
      this.#blank[argumentsAt + 2 * at + 1] = Math.floor(address / 2 ** 32);
    }
  }

  copyId(words: Uint32Array): void {
    words[0] = this.#words[0] ?? 0;
    words[1] = this.#words[1] ?? 0;
  }

  get thread(): number {
    return this.#words[threadAt] ?? 0;
  }

  get number(): number {
    return this.#words[numberAt] ?? 0;
  }

  int(at: number): number {
    return (this.#words[argumentsAt + 2 * at] ?? 0) | 0;
  }

  address(at: number): number {
    const word = argumentsAt + 2 * at;
    return addressFrom(this.#words[word] ?? 0, this.#words[word + 1] ?? 0, this.#mask);
  }

  putArguments(): void {
    for (let at = 0; at < argumentCount; at += 1) this.#writer.setArgument(at, this.int(at));
  }

  /** False when it turned out that there is nothing to tell. */
  put(reading: Reading): boolean {
    switch (reading.type) {
      case 'path':
        this.#putPath(reading.at, reading.folder, reading.flags);
        return true;
      case 'text':
        this.#putText(this.address(reading.at), reading.cap);
        return true;
      case 'bytes':
        this.#putBytes(this.address(reading.at), reading.length);
        return true;
      case 'address':
        this.#putBytes(this.address(reading.at), Math.max(0, Math.min(this.int(reading.at + 1), addressBytes)));
        return true;
      case 'descriptor':
        this.#putLink(this.int(reading.at));
        return true;
      case 'here':
        this.#putLink(hereFolder);
        return true;
      case 'arguments':
        this.#putArgv(this.address(reading.at));
        return true;
      case 'message':
        return this.#putMessages(this.address(reading.at), 1);
      case 'messages':
        return this.#putMessages(this.address(reading.at), Math.min(this.int(reading.at + 1), mostMessages));
    }
  }

  /** Two pieces: the text, and the folder that it is relative to. */
  #putPath(at: number, folderAt?: number, flagsAt?: number): void {
    const { offset } = this.#writer;
    const length = this.#putText(this.address(at), caps.path);
    const isEmptyAllowed = flagsAt !== undefined && (this.int(flagsAt) & emptyPathFlag) !== 0;
    const isRelative = length > 0 ? this.#writer.bytes[offset] !== slash : isEmptyAllowed;
    if (isRelative) this.#putLink(folderAt === undefined ? hereFolder : this.int(folderAt));
    else this.#writer.addAbsent();
  }

  #putText(address: number, cap: number): number {
    const found = this.#memory.text(this.thread, address, cap, this.#writer.offset);
    const length = found < 0 ? -1 - found : found;
    this.#writer.addPiece(length, found < 0);
    return length;
  }

  #putBytes(address: number, length: number): void {
    const got = this.#memory.bytes(this.thread, address, length, this.#writer.offset);
    this.#writer.addPiece(got, got < length);
  }

  /** What a file descriptor, or the current folder, stands for. Threads may have their own. */
  #putLink(fd: number): void {
    const link = readLink(fd === hereFolder ? `/proc/${this.thread}/cwd` : `/proc/${this.thread}/fd/${fd}`);
    if (link === null) this.#writer.addAbsent();
    else this.#writer.add(link);
  }

  /** Reads beyond what is kept; the next piece is going to lie there. */
  #peek(address: number, length: number): Buffer {
    const { bytes, offset } = this.#writer;
    const got = this.#memory.bytes(this.thread, address, length, offset);
    return Buffer.from(bytes.subarray(offset, offset + got));
  }

  #addressIn(bytes: Buffer, at: number): number {
    return addressFrom(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4), this.#mask);
  }

  /** One piece per argument. The array of pointers ends with a null one; an absent piece says that there were more. */
  #putArgv(address: number): void {
    if (address !== 0 && !this.#putAllArguments(address)) this.#writer.addAbsent();
  }

  #putAllArguments(address: number): boolean {
    let count = 0;
    let left: number = caps.argv;
    for (let start = address; ; start += pointersAtOnce * pointerBytes) {
      const pointers = this.#peek(start, pointersAtOnce * pointerBytes);
      for (let at = 0; at + pointerBytes <= pointers.length; at += pointerBytes) {
        const pointer = this.#addressIn(pointers, at);
        if (pointer === 0) return true;
        if (left <= 0 || count >= caps.arguments) return false;
        left -= this.#putText(pointer, Math.min(caps.argument, left)) + 1;
        count += 1;
      }
      if (pointers.length < pointersAtOnce * pointerBytes) return false;
    }
  }

  /** `struct msghdr` begins with the address and its length; most messages have none. */
  #putMessages(address: number, count: number): boolean {
    const headers = this.#peek(address, count === 1 ? 16 : messageBytes * count);
    let isAny = false;
    for (let at = 0; at + 16 <= headers.length; at += messageBytes) {
      const name = this.#addressIn(headers, at);
      const length = Math.min(headers.readUInt32LE(at + 8), addressBytes);
      if (name === 0 || length === 0) continue;
      this.#putBytes(name, length);
      isAny = true;
    }
    return isAny;
  }
}
