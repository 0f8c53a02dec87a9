import type { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { quoteText } from '../client/index.ts';

/** A certificate in the words of a report. Everything in it was written by whoever runs the server. */

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly valid_from: string;
  readonly valid_to: string;
  readonly key: string;
  readonly signature: string;
  readonly sha256: string;
}

const mostNames = 50;

function dateText(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'not a date' : date.toISOString();
}

/** Kinds of keys that the library does not know are no reason to fail. */
export function keyOf(certificate: X509Certificate): { readonly type: string; readonly bits: number | null } {
  try {
    const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails = {} } = certificate.publicKey;
    const { modulusLength, namedCurve } = asymmetricKeyDetails;
    const curveBits = Number(/(\d{3})/.exec(namedCurve ?? '')?.[1] ?? Number.NaN);
    return { type, bits: modulusLength ?? (Number.isNaN(curveBits) ? null : curveBits) };
  } catch {
    return { type: 'unknown', bits: null };
  }
}

export function describeCertificate(certificate: X509Certificate): CertificateFacts {
  const { type, bits } = keyOf(certificate);
  return {
    subject: quoteText(certificate.subject ?? ''),
    issuer: quoteText(certificate.issuer ?? ''),
    names: (certificate.subjectAltName ?? '')
      .split(', ')
      .filter((name) => name !== '')
      .slice(0, mostNames)
      .map((name) => quoteText(name, 260)),
    valid_from: dateText(certificate.validFromDate),
    valid_to: dateText(certificate.validToDate),
    key: bits === null ? type : `${type} ${bits}`,
    signature: quoteText(certificate.signatureAlgorithm ?? certificate.signatureAlgorithmOid, 64),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/** Whether a client that asked for the host would take the certificate for it. */
export function isForHost(certificate: X509Certificate, host: string): boolean {
  const legacy = certificate.toLegacyObject() as unknown as PeerCertificate;
  return checkServerIdentity(host, legacy) === undefined;
}
