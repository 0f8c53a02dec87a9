import koffi from 'koffi';
import { formatIpv6 } from '../addresses.ts';

/**
 * One datagram as recvmsg fills it in. `struct msghdr` of 64-bit Linux:
 *
 *     0 name*   8 nameLength(u32)   16 iov*   24 iovCount(u64)   32 control*   40 controlLength(u64)   48 flags(i32)
 *
 * and each control message: length(u64) level(i32) type(i32) data, rounded up to 8.
 */

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const largestDatagram = 65_536;
const controlBytes = 256;

/** A `struct sockaddr_in` or `sockaddr_in6`; null for anything else. */
export function readSocketAddress(bytes: Buffer): Endpoint | null {
  if (bytes.length < 8) return null;
  const family = bytes.readUInt16LE(0);
  const port = bytes.readUInt16BE(2);
  if (family === 2) return { address: bytes.subarray(4, 8).join('.'), port };
  if (family === 10 && bytes.length >= 24) return { address: formatIpv6(bytes.subarray(8, 24)), port };
  return null;
}

export interface Control {
  readonly asked: Endpoint | null;
  /** How many datagrams the kernel has dropped since the socket was opened; null when it did not say. */
  readonly overflowed: number | null;
}

export function readControl(bytes: Buffer): Control {
  let asked: Endpoint | null = null;
  let overflowed: number | null = null;
  for (let at = 0; at + 16 <= bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at));
    if (length < 16 || at + length > bytes.length) break;
    const [level, type] = [bytes.readInt32LE(at + 8), bytes.readInt32LE(at + 12)];
    const data = bytes.subarray(at + 16, at + length);
    if ((level === 0 && type === 20) || (level === 41 && type === 74)) asked = readSocketAddress(data);
    if (level === 1 && type === 40 && data.length >= 4) overflowed = data.readUInt32LE(0);
    at += (length + 7) & ~7;
  }
  return { asked, overflowed };
}

/** Memory for one recvmsg at a time; used again for every datagram. */
export class MessageBuffer {
  readonly header: Buffer = Buffer.alloc(56);
  readonly #name = Buffer.alloc(28);
  readonly #data = Buffer.alloc(largestDatagram);
  readonly #control = Buffer.alloc(controlBytes);
  readonly #vector = Buffer.alloc(16);

  prepare(): void {
    this.#vector.writeBigUInt64LE(koffi.address(this.#data), 0);
    this.#vector.writeBigUInt64LE(BigInt(largestDatagram), 8);
    this.header.writeBigUInt64LE(koffi.address(this.#name), 0);
    this.header.writeUInt32LE(this.#name.length, 8);
    this.header.writeBigUInt64LE(koffi.address(this.#vector), 16);
    this.header.writeBigUInt64LE(1n, 24);
    this.header.writeBigUInt64LE(koffi.address(this.#control), 32);
    this.header.writeBigUInt64LE(BigInt(controlBytes), 40);
    this.header.writeInt32LE(0, 48);
  }

  /** What arrived: copies, because the memory is used again. */
  read(length: number): { readonly peer: Endpoint | null; readonly bytes: Buffer; readonly control: Control } {
    const nameLength = Math.min(this.header.readUInt32LE(8), this.#name.length);
    const controlLength = Math.min(Number(this.header.readBigUInt64LE(40)), controlBytes);
    return {
      peer: readSocketAddress(this.#name.subarray(0, nameLength)),
      bytes: Buffer.from(this.#data.subarray(0, length)),
      control: readControl(this.#control.subarray(0, controlLength)),
    };
  }
}
