import { createHash, X509Certificate } from 'node:crypto';
import { makeByteView } from '../byte-view.ts';

/** What TLS says before it is encrypted, and its fingerprints. */

export interface ClientHello {
  readonly version: number;
  readonly ciphers: readonly number[];
  readonly extensions: readonly number[];
  readonly groups: readonly number[];
  readonly pointFormats: readonly number[];
  readonly signatureAlgorithms: readonly number[];
  readonly supportedVersions: readonly number[];
  readonly alpn: readonly string[];
  readonly serverName?: string;
}
export interface ServerHello {
  readonly version: number;
  readonly cipher: number;
  readonly extensions: readonly number[];
  readonly chosenVersion: number;
}
export interface Handshake {
  readonly client?: ClientHello;
  readonly server?: ServerHello;
  readonly certificates: readonly {
    readonly subject: string;
    readonly issuer: string;
    readonly validFrom: string;
    readonly validTo: string;
    readonly names: string;
  }[];
}

const mostHandshake = 256 * 1024;

/** Values that clients send to keep servers flexible; fingerprints leave them out. */
function isGrease(value: number): boolean {
  return (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff);
}

/** The handshake messages of one side, out of their records. */
function handshakeMessages(bytes: Uint8Array): { type: number; body: Uint8Array }[] {
  const view = makeByteView(bytes, false);
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; view.fits(at, 5) && view.u8(at) === 22 && view.u8(at + 1) === 3 && total < mostHandshake; ) {
    const length = view.u16(at + 3);
    const part = view.slice(at + 5, length);
    parts.push(part);
    total += part.length;
    at += 5 + length;
  }
  const joined = Buffer.concat(parts);
  const messages: { type: number; body: Uint8Array }[] = [];
  for (let at = 0; at + 4 <= joined.length && messages.length < 20; ) {
    const length = joined.readUIntBE(at + 1, 3);
    messages.push({ type: joined[at] ?? 0, body: joined.subarray(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return messages;
}

function list16(bytes: Uint8Array, from: number, length: number): number[] {
  const view = makeByteView(bytes, false);
  const end = Math.min(from + length, bytes.length - 1);
  const values: number[] = [];
  for (let at = from; at + 1 <= end && at < from + length; at += 2) values.push(view.u16(at));
  return values;
}

interface Extension {
  readonly type: number;
  readonly data: Uint8Array;
}

function readExtensions(bytes: Uint8Array, from: number): Extension[] {
  const view = makeByteView(bytes, false);
  const end = Math.min(bytes.length, from + 2 + view.u16(from));
  const found: Extension[] = [];
  for (let at = from + 2; at + 4 <= end && found.length < 500; ) {
    const length = view.u16(at + 2);
    found.push({ type: view.u16(at), data: view.slice(at + 4, length) });
    at += 4 + length;
  }
  return found;
}

function readClientHello(body: Uint8Array): ClientHello {
  const view = makeByteView(body, false);
  const cipherAt = 35 + view.u8(34);
  const compressionAt = cipherAt + 2 + view.u16(cipherAt);
  const extensions = readExtensions(body, compressionAt + 1 + view.u8(compressionAt));
  const data = (type: number): Uint8Array => extensions.find((one) => one.type === type)?.data ?? new Uint8Array(0);
  const inner = (type: number): number[] => list16(data(type), 2, makeByteView(data(type), false).u16(0));
  const alpn: string[] = [];
  const protocols = makeByteView(data(16), false);
  for (let at = 2; at < protocols.length && alpn.length < 32; at += 1 + protocols.u8(at))
    alpn.push(protocols.latin1(at + 1, protocols.u8(at)));
  const names = makeByteView(data(0), false);
  const serverName = names.length > 5 ? names.latin1(5, names.u16(3)) : undefined;
  return {
    version: view.u16(0),
    ciphers: list16(body, cipherAt + 2, view.u16(cipherAt)),
    extensions: extensions.map(({ type }) => type),
    groups: inner(10),
    pointFormats: Array.from(data(11).subarray(1, 1 + (data(11)[0] ?? 0))),
    signatureAlgorithms: inner(13),
    supportedVersions: list16(data(43), 1, data(43)[0] ?? 0),
    alpn,
    ...(serverName === undefined ? {} : { serverName }),
  };
}

function readServerHello(body: Uint8Array): ServerHello {
  const view = makeByteView(body, false);
  const at = 35 + view.u8(34);
  const extensions = readExtensions(body, at + 3);
  const chosen = extensions.find(({ type }) => type === 43)?.data;
  const version = view.u16(0);
  return {
    version,
    cipher: view.u16(at),
    extensions: extensions.map(({ type }) => type),
    chosenVersion: chosen === undefined ? version : makeByteView(chosen, false).u16(0),
  };
}

function readCertificates(body: Uint8Array): Handshake['certificates'] {
  const view = makeByteView(body, false);
  const found: Handshake['certificates'][number][] = [];
  for (let at = 3; at + 3 < body.length && found.length < 10; ) {
    const length = (view.u8(at) << 16) | view.u16(at + 1);
    try {
      const { subject, issuer, validFrom, validTo, subjectAltName } = new X509Certificate(view.slice(at + 3, length));
      found.push({
        subject: subject.replaceAll('\n', ', '),
        issuer: issuer.replaceAll('\n', ', '),
        validFrom,
        validTo,
        names: subjectAltName ?? '',
      });
    } catch {
      // A damaged certificate is left out.
    }
    at += 3 + length;
  }
  return found;
}

export function readHandshake(fromClient: Uint8Array, fromServer: Uint8Array): Handshake | undefined {
  const client = handshakeMessages(fromClient).find(({ type }) => type === 1);
  const answers = handshakeMessages(fromServer);
  const server = answers.find(({ type }) => type === 2);
  const chain = answers.find(({ type }) => type === 11);
  if (client === undefined && server === undefined) return undefined;
  return {
    ...(client === undefined ? {} : { client: readClientHello(client.body) }),
    ...(server === undefined ? {} : { server: readServerHello(server.body) }),
    certificates: chain === undefined ? [] : readCertificates(chain.body),
  };
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const sha12 = (text: string): string =>
  text === '' ? '0'.repeat(12) : createHash('sha256').update(text).digest('hex').slice(0, 12);
const hex4 = (value: number): string => value.toString(16).padStart(4, '0');

export function ja3(hello: ClientHello): { readonly text: string; readonly hash: string } {
  const dash = (values: readonly number[]): string => values.filter((value) => !isGrease(value)).join('-');
  const text = [
    hello.version,
    dash(hello.ciphers),
    dash(hello.extensions),
    dash(hello.groups),
    hello.pointFormats.join('-'),
  ].join(',');
  return { text, hash: md5(text) };
}

export function ja3s(hello: ServerHello): { readonly text: string; readonly hash: string } {
  const text = [hello.version, hello.cipher, hello.extensions.join('-')].join(',');
  return { text, hash: md5(text) };
}

const versionCodes: Readonly<Record<number, string>> = {
  772: '13',
  771: '12',
  770: '11',
  769: '10',
  768: 's3',
  2: 's2',
};

function alpnCode(first: string | undefined): string {
  if (first === undefined || first === '') return '00';
  const [begin, end] = [first[0] ?? '', first[first.length - 1] ?? ''];
  if (/^[0-9A-Za-z]{2}$/.test(begin + end)) return begin + end;
  const hex = Buffer.from(first, 'latin1').toString('hex');
  return `${hex[0]}${hex[hex.length - 1]}`;
}

export function ja4(hello: ClientHello): string {
  const plain = (values: readonly number[]): number[] => values.filter((value) => !isGrease(value));
  const versions = plain(hello.supportedVersions);
  const version = versions.length > 0 ? Math.max(...versions) : hello.version;
  const ciphers = plain(hello.ciphers);
  const extensions = plain(hello.extensions);
  const two = (count: number): string => String(Math.min(count, 99)).padStart(2, '0');
  const named = hello.extensions.includes(0) ? 'd' : 'i';
  const head = `t${versionCodes[version] ?? '00'}${named}${two(ciphers.length)}${two(extensions.length)}${alpnCode(hello.alpn[0])}`;
  const sorted = (values: readonly number[]): string => values.map(hex4).sort().join(',');
  const kept = sorted(extensions.filter((type) => type !== 0 && type !== 16));
  const algorithms = plain(hello.signatureAlgorithms).map(hex4).join(',');
  const tail = kept === '' && algorithms === '' ? '' : algorithms === '' ? kept : `${kept}_${algorithms}`;
  return `${head}_${sha12(sorted(ciphers))}_${sha12(tail)}`;
}
