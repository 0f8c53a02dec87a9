import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { addressBytes } from '../addresses.ts';
import * as der from './der.ts';

/** Makes X.509 version 3 certificates for EC P-256 keys, signed with ECDSA and SHA-256 (RFC 5280). */

const id = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  subjectAlternativeName: '2.5.29.17',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
} as const;

const dayMs = 24 * 60 * 60 * 1000;

function nameOf(commonName: string): Buffer {
  return der.sequence(der.setOf(der.sequence(der.objectId(id.commonName), der.utf8(commonName))));
}

function extension(name: keyof typeof id, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der.boolean(true)] : [];
  return der.sequence(der.objectId(id[name]), ...critical, der.octets(value));
}

function publicKeyBytes(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1').update(publicKeyBytes(key)).digest();
}

/** Key usage: the first bits are digitalSignature (0), keyCertSign (5) and cRLSign (6). */
function authorityExtensions(key: KeyObject): readonly Buffer[] {
  return [
    extension('basicConstraints', true, der.sequence(der.boolean(true), der.integer(Buffer.from([0])))),
    extension('keyUsage', true, der.bits(Buffer.from([0b0000_0110]), 1)),
    extension('subjectKeyIdentifier', false, der.octets(keyIdentifier(key))),
  ];
}

function alternativeName(host: string): Buffer {
  const address = addressBytes(host);
  return address === null ? der.tagged(2, Buffer.from(host, 'latin1')) : der.tagged(7, address);
}

function serverExtensions(hosts: readonly string[], key: KeyObject, issuer: KeyObject): readonly Buffer[] {
  return [
    extension('basicConstraints', true, der.sequence()),
    extension('keyUsage', true, der.bits(Buffer.from([0b1000_0000]), 7)),
    extension('extendedKeyUsage', false, der.sequence(der.objectId(id.serverAuthentication))),
    extension('subjectAlternativeName', false, der.sequence(...hosts.map(alternativeName))),
    extension('subjectKeyIdentifier', false, der.octets(keyIdentifier(key))),
    extension('authorityKeyIdentifier', false, der.sequence(der.tagged(0, keyIdentifier(issuer)))),
  ];
}

interface Signing {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  readonly issuerKey: KeyObject;
  readonly days: number;
  readonly extensions: readonly Buffer[];
}

function signCertificate(signing: Signing): string {
  const now = Date.now();
  // The highest bit is cleared so that the number is positive, the next one is set so that it never is short.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const algorithm = der.sequence(der.objectId(id.ecdsaWithSha256));
  const body = der.sequence(
    der.wrapped(0, der.integer(Buffer.from([2]))),
    der.integer(serial),
    algorithm,
    nameOf(signing.issuer),
    // A box may have a clock that is a little late.
    der.sequence(der.time(new Date(now - 2 * dayMs)), der.time(new Date(now + signing.days * dayMs))),
    nameOf(signing.subject),
    publicKeyBytes(signing.publicKey),
    der.wrapped(3, der.sequence(...signing.extensions)),
  );
  const signature = sign('sha256', body, signing.issuerKey);
  return new X509Certificate(der.sequence(body, algorithm, der.bits(signature))).toString();
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export function makeAuthorityCertificate(name: string, keys: KeyPair): string {
  return signCertificate({
    subject: name,
    publicKey: keys.publicKey,
    issuer: name,
    issuerKey: keys.privateKey,
    days: 365,
    extensions: authorityExtensions(keys.publicKey),
  });
}

/** At most 64 characters of a name fit into a common name; the full names stand beside it, as they should. */
const longestCommonName = 64;

export function makeServerCertificate(
  hosts: readonly string[],
  publicKey: KeyObject,
  authority: { readonly name: string; readonly keys: KeyPair },
): string {
  return signCertificate({
    subject: (hosts[0] ?? 'server').slice(0, longestCommonName),
    publicKey,
    issuer: authority.name,
    issuerKey: authority.keys.privateKey,
    days: 90,
    extensions: serverExtensions(hosts, publicKey, authority.keys.publicKey),
  });
}
