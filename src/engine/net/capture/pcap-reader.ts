/**
 * Reads the stream that tcpdump writes, the older pcap, in whatever pieces it arrives.
 *
 *     magic(4) version(4) zone(4) accuracy(4) longest(4) linkType(4) | seconds(4) fraction(4) kept(4) original(4) bytes …
 */

export interface CapturedPacket {
  readonly wallNs: bigint;
  readonly bytes: Buffer;
  readonly originalBytes: number;
}

const headerBytes = 24;
const recordBytes = 16;
const nanosecondMagic = 0xa1b2_3c4d;
const microsecondMagic = 0xa1b2_c3d4;
const largestPacket = 1024 * 1024;

export class PcapReader {
  #waiting: Buffer = Buffer.alloc(0);
  #nsPerFraction = 0n;
  linkType: number | null = null;
  /** Set when the stream is not what it should be; nothing is read from then on. */
  problem: string | null = null;

  take(chunk: Buffer): readonly CapturedPacket[] {
    if (this.problem !== null) return [];
    this.#waiting = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
    if (this.linkType === null && !this.#takeHeader()) return [];
    const packets: CapturedPacket[] = [];
    let at = 0;
    while (at + recordBytes <= this.#waiting.length) {
      const kept = this.#waiting.readUInt32LE(at + 8);
      if (kept > largestPacket) {
        this.problem = `a packet of ${kept} bytes`;
        break;
      }
      if (at + recordBytes + kept > this.#waiting.length) break;
      packets.push({
        wallNs:
          BigInt(this.#waiting.readUInt32LE(at)) * 1_000_000_000n +
          BigInt(this.#waiting.readUInt32LE(at + 4)) * this.#nsPerFraction,
        bytes: this.#waiting.subarray(at + recordBytes, at + recordBytes + kept),
        originalBytes: this.#waiting.readUInt32LE(at + 12),
      });
      at += recordBytes + kept;
    }
    this.#waiting = this.#waiting.subarray(at);
    return packets;
  }

  #takeHeader(): boolean {
    if (this.#waiting.length < headerBytes) return false;
    const magic = this.#waiting.readUInt32LE(0);
    if (magic !== nanosecondMagic && magic !== microsecondMagic) {
      this.problem = `magic ${magic.toString(16)}`;
      return false;
    }
    this.#nsPerFraction = magic === nanosecondMagic ? 1n : 1000n;
    this.linkType = this.#waiting.readUInt32LE(20) & 0xffff;
    this.#waiting = this.#waiting.subarray(headerBytes);
    return true;
  }
}
