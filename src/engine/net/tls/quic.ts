import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { type ClientHello, readHello } from './client-hello.ts';

/**
 * The first packet of a QUIC client (RFC 9001, 5.2). It is encrypted, but with a key that follows from what stands in
 * the packet itself, so the ClientHello in it can be read.
 *
 *     flags(1) version(4) destination(1+n) source(1+n) token(varint+n) length(varint) number(1-4) | payload, tag(16)
 */

interface Version {
  readonly number: number;
  readonly salt: string;
  /** Of the labels that keys are derived with, and the bits that mark an Initial packet. */
  readonly label: string;
  readonly initialType: number;
}

const versions: readonly [Version, ...Version[]] = [
  { number: 1, salt: '38762cf7f55934b34d179ae6a4c80cadccbb7f0a', label: 'quic', initialType: 0 },
  { number: 0x6b33_43cf, salt: '0dede3def700a6db819381be6e269dcbf9bd2ed9', label: 'quicv2', initialType: 1 },
];

function versionOf(bytes: Buffer): Version | null {
  const flags = bytes[0] ?? 0;
  if (bytes.length < 64 || (flags & 0xc0) !== 0xc0) return null;
  const version = versions.find(({ number }) => number === bytes.readUInt32BE(1));
  return version !== undefined && (flags & 0x30) >> 4 === version.initialType ? version : null;
}

export function isQuicInitial(bytes: Buffer): boolean {
  return versionOf(bytes) !== null;
}

/** A number whose first two bits tell its length; NaN when it is cut off. */
function readNumber(bytes: Buffer, at: number): { readonly value: number; readonly next: number } {
  const length = 1 << ((bytes[at] ?? 0) >> 6);
  if (at + length > bytes.length) return { value: Number.NaN, next: at };
  let value = (bytes[at] ?? 0) & 0x3f;
  for (let offset = 1; offset < length; offset += 1) value = value * 256 + (bytes[at + offset] ?? 0);
  return { value, next: at + length };
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HKDF-Expand-Label of TLS 1.3 with an empty context; all lengths here are within one block. */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0])]);
  return hmac(secret, Buffer.concat([info, Buffer.from([1])])).subarray(0, length);
}

export interface QuicKeys {
  readonly key: Buffer;
  readonly iv: Buffer;
  /** For the header protection. */
  readonly mask: Buffer;
}

/** The keys of a client's first packet, from the connection id that it made up. */
export function quicKeys(number: number, connection: Buffer): QuicKeys {
  const { salt, label } = versions.find((version) => version.number === number) ?? versions[0];
  const initial = hmac(Buffer.from(salt, 'hex'), connection);
  const client = expand(initial, 'client in', 32);
  return {
    key: expand(client, `${label} key`, 16),
    iv: expand(client, `${label} iv`, 12),
    mask: expand(client, `${label} hp`, 16),
  };
}

/** Removes the header protection and decrypts; null when the packet is cut off or not what it seems. */
function decrypt(bytes: Buffer, version: Version): Buffer | null {
  const destinationLength = bytes[5] ?? 0;
  const sourceAt = 6 + destinationLength;
  const token = readNumber(bytes, sourceAt + 1 + (bytes[sourceAt] ?? 0));
  if (destinationLength > 20 || Number.isNaN(token.value)) return null;
  const length = readNumber(bytes, token.next + token.value);
  if (Number.isNaN(length.value)) return null;
  const numberAt = length.next;
  const end = numberAt + length.value;
  if (end > bytes.length || numberAt + 20 > end) return null;
  const keys = quicKeys(version.number, bytes.subarray(6, sourceAt));
  const mask = createCipheriv('aes-128-ecb', keys.mask, null).update(bytes.subarray(numberAt + 4, numberAt + 20));
  const header = Buffer.from(bytes.subarray(0, numberAt + 4));
  header[0] = (header[0] ?? 0) ^ ((mask[0] ?? 0) & 0x0f);
  const numberLength = ((header[0] ?? 0) & 3) + 1;
  const nonce = Buffer.from(keys.iv);
  for (let at = 0; at < numberLength; at += 1) {
    const byte = (header[numberAt + at] ?? 0) ^ (mask[1 + at] ?? 0);
    header[numberAt + at] = byte;
    const place = 12 - numberLength + at;
    nonce[place] = (nonce[place] ?? 0) ^ byte;
  }
  const decipher = createDecipheriv('aes-128-gcm', keys.key, nonce);
  decipher.setAAD(header.subarray(0, numberAt + numberLength));
  decipher.setAuthTag(bytes.subarray(end - 16, end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(numberAt + numberLength, end - 16)), decipher.final()]);
  } catch {
    return null;
  }
}

const frame = { padding: 0, ping: 1, crypto: 6 } as const;
const largestHello = 16 * 1024;

/** Puts the pieces of the handshake together; clients send them out of order on purpose. */
function joinHandshake(payload: Buffer): Buffer {
  const joined = Buffer.alloc(largestHello);
  let end = 0;
  for (let at = 0; at < payload.length; ) {
    const type = payload[at];
    at += 1;
    if (type === frame.padding || type === frame.ping) continue;
    if (type !== frame.crypto) break;
    const offset = readNumber(payload, at);
    if (Number.isNaN(offset.value)) break;
    const length = readNumber(payload, offset.next);
    const data = payload.subarray(length.next, length.next + length.value);
    if (Number.isNaN(length.value) || data.length < length.value || offset.value + data.length > largestHello) break;
    data.copy(joined, offset.value);
    end = Math.max(end, offset.value + data.length);
    at = length.next + length.value;
  }
  return joined.subarray(0, end);
}

/** Null when it cannot be read: another version, cut off, or the hello goes on in the next packet. */
export function readQuicHello(bytes: Buffer): ClientHello | null {
  const version = versionOf(bytes);
  const payload = version === null ? null : decrypt(bytes, version);
  return payload === null ? null : readHello(joinHandshake(payload));
}
