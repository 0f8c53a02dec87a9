import { generateKeyPairSync, randomBytes } from 'node:crypto';

/**
 * The first message of a TLS client and the answer to it, written and read here (RFC 8446, RFC 5246): libraries refuse to
 * offer what is broken, and the answer in the clear tells version and cipher suite without a key.
 */

export const tlsVersions = [
  [0x0300, 'SSL 3.0'],
  [0x0301, 'TLS 1.0'],
  [0x0302, 'TLS 1.1'],
  [0x0303, 'TLS 1.2'],
  [0x0304, 'TLS 1.3'],
] as const;
export type TlsVersion = (typeof tlsVersions)[number][0];

export interface HelloOffer {
  readonly version: TlsVersion;
  readonly suites: readonly number[];
  /** Empty where an address is spoken to. */
  readonly serverName: string;
  readonly isCompressionOffered?: boolean;
}

const u8 = (value: number): Buffer => Buffer.from([value]);
const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u16s = (values: readonly number[]): Buffer => Buffer.concat(values.map(u16));
const vector8 = (part: Buffer): Buffer => Buffer.concat([u8(part.length), part]);
const vector16 = (part: Buffer): Buffer => Buffer.concat([u16(part.length), part]);
const extension = (type: number, data: Buffer): Buffer => Buffer.concat([u16(type), vector16(data)]);

const groups = { x25519: 0x001d, p256: 0x0017, p384: 0x0018, p521: 0x0019 } as const;

/** From the strong to those that only old servers have. */
const signatures = [
  0x0403, 0x0503, 0x0603, 0x0807, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601, 0x0203, 0x0201, 0x0202,
];

function keyShare(): Buffer {
  const { publicKey } = generateKeyPairSync('x25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return extension(51, vector16(Buffer.concat([u16(groups.x25519), vector16(raw)])));
}

function extensionsOf({ version, serverName }: HelloOffer): readonly Buffer[] {
  if (version === 0x0300) return [];
  const name = Buffer.concat([u8(0), vector16(Buffer.from(serverName, 'latin1'))]);
  return [
    ...(serverName === '' ? [] : [extension(0, vector16(name))]),
    extension(10, vector16(u16s(Object.values(groups)))),
    extension(11, vector8(u8(0))),
    ...(version >= 0x0303 ? [extension(13, vector16(u16s(signatures)))] : []),
    ...(version === 0x0304
      ? [extension(43, vector8(u16(0x0304))), extension(45, vector8(u8(1))), keyShare()]
      : [extension(0xff01, vector8(Buffer.alloc(0)))]),
  ];
}

const renegotiationSignal = 0x00ff;

export function writeHello(offer: HelloOffer): Buffer {
  const { version, suites, isCompressionOffered = false } = offer;
  const extensions = extensionsOf(offer);
  const body = Buffer.concat([
    u16(Math.min(version, 0x0303)),
    randomBytes(32),
    vector8(version === 0x0304 ? randomBytes(32) : Buffer.alloc(0)),
    vector16(u16s(version === 0x0300 ? [...suites, renegotiationSignal] : suites)),
    vector8(Buffer.from(isCompressionOffered ? [1, 0] : [0])),
    ...(extensions.length === 0 ? [] : [vector16(Buffer.concat(extensions))]),
  ]);
  const message = Buffer.concat([u8(1), u8(0), u16(body.length), body]);
  return Buffer.concat([u8(22), u16(version === 0x0300 ? 0x0300 : 0x0301), vector16(message)]);
}

export type HelloAnswer =
  | {
      readonly is: 'agreed';
      readonly version: number;
      readonly suite: number;
      readonly compression: number;
      readonly hasSecureRenegotiation: boolean;
    }
  | { readonly is: 'refused'; readonly alert: number }
  | { readonly is: 'garbage' };

const largestAnswer = 64 * 1024;

/** The handshake bytes of the records so far; null where one is no record of a handshake. */
function handshakeBytes(bytes: Buffer): { readonly message: Buffer } | HelloAnswer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const type = bytes.readUInt8(at);
    const length = bytes.readUInt16BE(at + 3);
    const data = bytes.subarray(at + 5, at + 5 + length);
    if (bytes.readUInt8(at + 1) !== 3) return { is: 'garbage' };
    // A warning, such as that of a name which is not known, does not end the handshake.
    if (type === 21 && parts.length === 0) {
      if (data.length >= 2 && data.readUInt8(0) === 2) return { is: 'refused', alert: data.readUInt8(1) };
    } else if (type === 22) parts.push(data);
    else if (parts.length === 0) return { is: 'garbage' };
    at += 5 + length;
  }
  return { message: Buffer.concat(parts) };
}

function readExtensions(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 2);
    found.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

/** Null while more bytes are needed. */
export function readHelloAnswer(bytes: Buffer): HelloAnswer | null {
  const read = handshakeBytes(bytes);
  if ('is' in read) return read;
  const { message } = read;
  const length = message.length >= 4 ? message.readUIntBE(1, 3) : -1;
  if (message.length >= 1 && message.readUInt8(0) !== 2) return { is: 'garbage' };
  if (length === -1 || message.length < 4 + length) return bytes.length > largestAnswer ? { is: 'garbage' } : null;
  const body = message.subarray(4, 4 + length);
  const session = body.length > 34 ? body.readUInt8(34) : 255;
  const at = 35 + session;
  if (body.length < at + 3) return { is: 'garbage' };
  const extensions = readExtensions(body.subarray(at + 5));
  const chosen = extensions.get(43);
  return {
    is: 'agreed',
    version: chosen !== undefined && chosen.length === 2 ? chosen.readUInt16BE(0) : body.readUInt16BE(0),
    suite: body.readUInt16BE(at),
    compression: body.readUInt8(at + 2),
    hasSecureRenegotiation: extensions.has(0xff01),
  };
}
