import type { Taste } from '../listener.ts';

/**
 * The first message of a TLS client (RFC 8446, 4.1.2), which says in the clear whom it wants to speak to.
 *
 *     record:    22, version(2), length(2) | handshake: 1, length(3) | version(2) random(32) session(1+n)
 *     ciphers(2+n) compression(1+n) extensions(2+n): each type(2) length(2) data
 */

export interface ClientHello {
  readonly serverName: string | null;
  readonly alpn: readonly string[];
  /** The highest one offered, such as `0x0304` for TLS 1.3. */
  readonly version: number;
  readonly ciphers: readonly number[];
  readonly extensions: readonly number[];
}

const recordHeader = 5;
const largestHello = 64 * 1024;
const mostItems = 512;

/** Reads from the front and remembers whether it ever ran out. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  isShort = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get hasMore(): boolean {
    return !this.isShort && this.#at < this.#bytes.length;
  }

  take(length: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    if (part.length < length) this.isShort = true;
    this.#at += length;
    return part;
  }

  number(bytes: 1 | 2 | 3): number {
    const part = this.take(bytes);
    return part.length < bytes ? 0 : part.readUIntBE(0, bytes);
  }

  /** A part whose length stands before it. */
  vector(lengthBytes: 1 | 2 | 3): Reader {
    return new Reader(this.take(this.number(lengthBytes)));
  }

  text(lengthBytes: 1 | 2): string {
    return this.take(this.number(lengthBytes)).toString('latin1');
  }

  numbers(): readonly number[] {
    const found: number[] = [];
    while (this.hasMore && found.length < mostItems) found.push(this.number(2));
    return found;
  }
}

/** Reserved values that clients mix in to keep servers tolerant (RFC 8701): 0x0a0a, 0x1a1a, … */
const isGrease = (value: number): boolean => (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);

function readServerName(extension: Reader): string | null {
  const list = extension.vector(2);
  while (list.hasMore) {
    const type = list.number(1);
    const name = list.text(2);
    if (type === 0 && !list.isShort) return name;
  }
  return null;
}

function readAlpn(extension: Reader): readonly string[] {
  const list = extension.vector(2);
  const found: string[] = [];
  while (list.hasMore && found.length < mostItems) found.push(list.text(1));
  return found;
}

/** The body of a handshake message of type 1; null when it is not one. QUIC carries it without records. */
export function readHello(handshake: Buffer): ClientHello | null {
  const outer = new Reader(handshake);
  if (outer.number(1) !== 1) return null;
  const hello = outer.vector(3);
  if (outer.isShort) return null;
  const legacyVersion = hello.number(2);
  hello.take(32);
  hello.vector(1);
  const ciphers = hello.vector(2).numbers();
  hello.vector(1);
  if (hello.isShort) return null;
  let serverName: string | null = null;
  let alpn: readonly string[] = [];
  let version = legacyVersion;
  const extensions: number[] = [];
  const list = hello.hasMore ? hello.vector(2) : new Reader(Buffer.alloc(0));
  while (list.hasMore && extensions.length < mostItems) {
    const type = list.number(2);
    const data = list.vector(2);
    if (list.isShort) break;
    extensions.push(type);
    if (type === 0) serverName = readServerName(data);
    if (type === 16) alpn = readAlpn(data);
    if (type === 43)
      version = Math.max(
        version,
        ...data
          .vector(1)
          .numbers()
          .filter((each) => !isGrease(each)),
      );
  }
  return { serverName, alpn, version, ciphers, extensions };
}

/** Joins the records at the front that carry the handshake. */
function joinRecords(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + recordHeader <= bytes.length && bytes[at] === 22; ) {
    const length = bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + recordHeader, at + recordHeader + length));
    at += recordHeader + length;
  }
  return Buffer.concat(parts);
}

/** Whether a stream begins as TLS does, and whether the whole first message is there. */
export function tasteHello(bytes: Buffer): Taste {
  const [first, major, , , , message] = bytes;
  if (first !== 22 || (major !== undefined && major !== 3)) return 'no';
  if (message !== undefined && message !== 1) return 'no';
  const handshake = joinRecords(bytes);
  if (handshake.length < 4) return bytes.length > recordHeader + 4 ? 'yes' : 'more';
  const length = handshake.readUIntBE(1, 3);
  return length > largestHello || handshake.length >= 4 + length ? 'yes' : 'more';
}

export function readClientHello(bytes: Buffer): ClientHello | null {
  return readHello(joinRecords(bytes));
}
