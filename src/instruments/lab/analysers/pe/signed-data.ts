import { createHash, verify, X509Certificate } from 'node:crypto';
import { hexOf, tidy } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import { type Asn1, childrenOf, descend, oidOf, readAsn1 } from './asn1.ts';

/** What an Authenticode signature says, and whether it holds for this file. Who vouches for the signer is not asked. */
export interface SignedData {
  readonly digest_algorithm: string;
  readonly signed_digest: string;
  readonly signer: CertificateFacts | null;
  readonly certificates: readonly CertificateFacts[];
  /** The signature over the signed attributes, by the signer's key; null where it cannot be checked. */
  readonly signature_valid: boolean | null;
  /** The digest in the signed attributes is that of the content. */
  readonly content_digest_matches: boolean | null;
  readonly timestamp_countersigned: boolean;
  readonly nested_signature: boolean;
  readonly derLength: number;
}

type CertificateFacts = {
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly sha1: string;
  readonly self_issued: boolean;
};

const digests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const messageDigest = '1.2.840.113549.1.9.4';
const countersignatures = new Set(['1.2.840.113549.1.9.6', '1.3.6.1.4.1.311.3.3.1']);
const nestedSignature = '1.3.6.1.4.1.311.2.4.1';
const mostCertificates = 16;

export function readSignedData(der: Uint8Array): SignedData {
  const root = readAsn1(der);
  const data = descend(root, 1, 0);
  const parts = childrenOf(data);
  const content = descend(data, 2, 1, 0);
  const digestInfo = descend(content, 1);
  const algorithm = digests[oidOf(descend(digestInfo, 0, 0))] ?? oidOf(descend(digestInfo, 0, 0));
  const certificateSet = parts.find(({ tag }) => tag === 0xa0);
  const certificates = certificateSet === undefined ? [] : childrenOf(certificateSet).slice(0, mostCertificates);
  const parsed = certificates.flatMap((one) => parseCertificate(one.whole) ?? []);
  const signerSet = parts.at(-1);
  const signer = signerSet === undefined ? undefined : attempt(() => readSigner(descend(signerSet, 0)));
  const owner = parsed.find(({ serialNumber }) => serialNumber.toLowerCase() === signer?.serial);
  return {
    digest_algorithm: algorithm,
    signed_digest: hexOf(descend(digestInfo, 1).content.subarray(0, 64)),
    signer: owner === undefined ? null : certificateFacts(owner),
    certificates: parsed.map(certificateFacts),
    signature_valid: signer === undefined || owner === undefined ? null : signatureHolds(signer, owner),
    content_digest_matches: signer === undefined ? null : contentMatches(signer, content),
    timestamp_countersigned: signer?.unsigned.some((oid) => countersignatures.has(oid)) ?? false,
    nested_signature: signer?.unsigned.includes(nestedSignature) ?? false,
    derLength: root.whole.length,
  };
}

interface Signer {
  readonly serial: string;
  readonly digest: string;
  readonly attributes: Asn1 | undefined;
  readonly signature: Uint8Array;
  readonly unsigned: readonly string[];
}

function readSigner(info: Asn1): Signer {
  const parts = childrenOf(info);
  const attributes = parts.find(({ tag }) => tag === 0xa0);
  const unsigned = parts.find(({ tag }) => tag === 0xa1);
  const octets = parts.findLast(({ tag }) => tag === 0x04);
  const serial = hexOf(descend(info, 1, 1).content).replace(/^(?:00)+(?=.)/, '');
  return {
    serial,
    digest: digests[oidOf(descend(info, 2, 0))] ?? '',
    attributes,
    signature: octets?.content ?? new Uint8Array(),
    unsigned: unsigned === undefined ? [] : childrenOf(unsigned).map((one) => oidOf(descend(one, 0))),
  };
}

function contentMatches({ attributes, digest }: Signer, content: Asn1): boolean | null {
  if (attributes === undefined || digest === '') return null;
  const attribute = childrenOf(attributes).find((one) => attempt(() => oidOf(descend(one, 0))) === messageDigest);
  if (attribute === undefined) return null;
  return hexOf(descend(attribute, 1, 0).content) === createHash(digest).update(content.content).digest('hex');
}

function signatureHolds({ attributes, digest, signature }: Signer, owner: X509Certificate): boolean | null {
  if (attributes === undefined || digest === '') return null;
  // The attributes are signed as a set, though they are stored with another tag.
  const signed = Buffer.from(attributes.whole);
  signed[0] = 0x31;
  try {
    return verify(digest, signed, owner.publicKey, signature);
  } catch {
    return null;
  }
}

function parseCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

const oneLine = (name: string): string => tidy(name.split('\n').join(', '), 300);
const isoDate = (text: string): string => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? tidy(text, 40) : new Date(time).toISOString().replace('.000Z', 'Z');
};

function certificateFacts(one: X509Certificate): CertificateFacts {
  return {
    subject: oneLine(one.subject ?? ''),
    issuer: oneLine(one.issuer ?? ''),
    serial: one.serialNumber.toLowerCase(),
    valid_from: isoDate(one.validFrom),
    valid_to: isoDate(one.validTo),
    sha1: one.fingerprint.replaceAll(':', '').toLowerCase(),
    self_issued: one.subject === one.issuer,
  };
}
