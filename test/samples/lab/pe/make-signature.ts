import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeChecksum } from './make-pe.ts';
import { makeWriter } from './writer.ts';

/** DER, as much as a test certificate and a signature need. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? Buffer.from([content.length])
      : content.length < 0x100
        ? Buffer.from([0x81, content.length])
        : Buffer.from([0x82, content.length >> 8, content.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
const nothing = der(0x05);

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

const sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'), nothing);
const rsaWithSha256 = sequence(oid('1.2.840.113549.1.1.11'), nothing);
const name = (common: string): Buffer => sequence(set(sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(common)))));
const serial = der(0x02, Buffer.from('1234567890', 'hex'));

export interface SampleSigner {
  readonly certificate: Buffer;
  readonly privateKey: KeyObject;
  readonly issuer: Buffer;
}

/** A certificate that vouches for itself, valid from 2020 to 2039. The key is short, since it guards nothing. */
export function makeSigner(common = 'Hotcell test signer'): SampleSigner {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const issuer = name(common);
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('391231235959Z')));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    rsaWithSha256,
    issuer,
    validity,
    issuer,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  return { certificate: sequence(body, rsaWithSha256, signature), privateKey, issuer };
}

/** Signs a PE file as Windows expects it; `slack` is put behind the signature within the table. */
export function signPe(unsigned: Uint8Array, signer: SampleSigner, slack: Uint8Array = Buffer.alloc(0)): Buffer {
  const padded = Buffer.concat([unsigned, Buffer.alloc((8 - (unsigned.length % 8)) % 8)]);
  const optional = padded.readUInt32LE(0x3c) + 24;
  const directory = optional + (padded.readUInt16LE(optional) === 0x20b ? 112 : 96) + 32;
  const digest = createHash('sha256')
    .update(padded.subarray(0, optional + 64))
    .update(padded.subarray(optional + 68, directory))
    .update(padded.subarray(directory + 8))
    .digest();
  const blob = Buffer.concat([makeSignedData(digest, signer), slack]);
  const size = Math.ceil((blob.length + 8) / 8) * 8;
  const table = makeWriter().u32(size).u16(0x200, 2).bytes(blob).align(8).done();
  const file = Buffer.concat([padded, table]);
  file.writeUInt32LE(padded.length, directory);
  file.writeUInt32LE(table.length, directory + 4);
  writeChecksum(file, optional + 64);
  return file;
}

function makeSignedData(digest: Buffer, { certificate, privateKey, issuer }: SampleSigner): Buffer {
  const image = sequence(
    oid('1.3.6.1.4.1.311.2.1.15'),
    sequence(der(0x03, Buffer.from([0])), der(0xa0, der(0xa2, der(0x80)))),
  );
  const content = sequence(image, sequence(sha256, der(0x04, digest)));
  // The digest covers the content without its own tag and length.
  const inner = content.subarray(content[1] === 0x81 ? 3 : content[1] === 0x82 ? 4 : 2);
  const attributes = [
    sequence(oid('1.2.840.113549.1.9.3'), set(oid('1.3.6.1.4.1.311.2.1.4'))),
    sequence(oid('1.2.840.113549.1.9.4'), set(der(0x04, createHash('sha256').update(inner).digest()))),
  ];
  const signature = sign('sha256', set(...attributes), privateKey);
  const signerInfo = sequence(
    der(0x02, Buffer.from([1])),
    sequence(issuer, serial),
    sha256,
    der(0xa0, ...attributes),
    sequence(oid('1.2.840.113549.1.1.1'), nothing),
    der(0x04, signature),
  );
  const data = sequence(
    der(0x02, Buffer.from([1])),
    set(sha256),
    sequence(oid('1.3.6.1.4.1.311.2.1.4'), der(0xa0, content)),
    der(0xa0, certificate),
    set(signerInfo),
  );
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, data));
}
