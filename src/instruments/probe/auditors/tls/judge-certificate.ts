import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { describeCertificate, isForHost, keyOf } from './certificate.ts';
import type { Handshake } from './handshake.ts';
import type { TlsRule } from './rules.ts';

export interface TlsSighting {
  readonly rule: TlsRule;
  readonly detail: string;
  readonly severity?: 'low';
}

const soonMs = 14 * 24 * 60 * 60 * 1000;
const leastBits: Readonly<Record<string, number>> = { rsa: 2048, 'rsa-pss': 2048, dsa: 2048, ec: 224 };
const brokenHash = /md[245]|sha-?1(?!\d)/i;

/** By name and by signature: a certificate may bear the name of an authority that it is not from. */
function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

function judgeDates(certificate: X509Certificate, now: number): readonly TlsSighting[] {
  const from = certificate.validFromDate.getTime();
  const to = certificate.validToDate.getTime();
  const { valid_from, valid_to } = describeCertificate(certificate);
  if (to < now) return [{ rule: 'certificate-expired', detail: `It was valid until ${valid_to}.` }];
  if (from > now) return [{ rule: 'certificate-not-yet-valid', detail: `It is valid from ${valid_from}.` }];
  if (to - now < soonMs) return [{ rule: 'certificate-expires-soon', detail: `It is valid until ${valid_to}.` }];
  return [];
}

function judgeTrust(leaf: X509Certificate, chainError: string | null, isAlone: boolean): readonly TlsSighting[] {
  if (chainError === null) return [];
  if (isSelfSigned(leaf)) return [{ rule: 'certificate-self-signed', detail: 'Subject and signer are the same.' }];
  // Dates have rules of their own.
  if (chainError === 'CERT_HAS_EXPIRED' || chainError === 'CERT_NOT_YET_VALID') return [];
  // Browsers may know the missing one from elsewhere, other clients do not.
  const missing = isAlone
    ? ' The certificate of its issuer was not sent along: an intermediate one may be missing.'
    : '';
  return [{ rule: 'certificate-untrusted', detail: `The check of the chain ended with ${chainError}.${missing}` }];
}

function judgeName(leaf: X509Certificate, host: string): readonly TlsSighting[] {
  if (isForHost(leaf, host)) return [];
  const names = describeCertificate(leaf).names.join(', ');
  const detail = `${host} is none of its names: ${names === '' ? 'it has none' : names}.`;
  // Who scans an address may well be the only one who uses it.
  return [{ rule: 'certificate-name-mismatch', detail, ...(isIP(host) === 0 ? {} : { severity: 'low' as const }) }];
}

function judgeKey(leaf: X509Certificate): readonly TlsSighting[] {
  const { type, bits } = keyOf(leaf);
  const least = Object.hasOwn(leastBits, type) ? leastBits[type] : undefined;
  if (bits === null || least === undefined || bits >= least) return [];
  return [{ rule: 'certificate-weak-key', detail: `It is ${type} with ${bits} bits.` }];
}

/** The signature of a root is never checked by anybody. */
function judgeSignatures(chain: readonly X509Certificate[]): readonly TlsSighting[] {
  return chain
    .filter((certificate, index) => index === 0 || !isSelfSigned(certificate))
    .map((certificate) => describeCertificate(certificate))
    .filter(({ signature }) => brokenHash.test(signature))
    .slice(0, 1)
    .map(({ subject, signature }) => ({
      rule: 'certificate-weak-signature' as const,
      detail: `${subject} is signed with ${signature}.`,
    }));
}

export function judgeCertificates(
  { chain, chainError }: Pick<Handshake, 'chain' | 'chainError'>,
  host: string,
  now: number,
): readonly TlsSighting[] {
  const [leaf] = chain;
  if (leaf === undefined) return [];
  return [
    ...judgeDates(leaf, now),
    ...judgeTrust(leaf, chainError, chain.length === 1),
    ...judgeName(leaf, host),
    ...judgeKey(leaf),
    ...judgeSignatures(chain),
  ];
}
