import { X509Certificate } from 'node:crypto';
import type { Json } from '../../contract.ts';
import { makeByteView } from '../byte-view.ts';
import { excerpt } from '../draft.ts';

/** How a package is signed: old signature files, and the block in front of the directory. */
export interface Signing {
  readonly schemes: readonly string[];
  readonly certificates: readonly Json[];
}

const schemeIds: Readonly<Record<number, string>> = {
  1896449818: 'v2',
  4031998144: 'v3',
  462663009: 'v3.1',
  1845461005: 'source stamp',
};
const mostTries = 40;

/** Finds certificates inside of other structures by trying where one could begin. */
export function findCertificates(bytes: Uint8Array): Json[] {
  const found = new Map<string, Json>();
  let tries = 0;
  for (let at = bytes.indexOf(0x30); at >= 0 && tries < mostTries; at = bytes.indexOf(0x30, at + 1)) {
    if (bytes[at + 1] !== 0x82 || bytes[at + 4] !== 0x30 || bytes[at + 5] !== 0x82) continue;
    const length = 4 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    if (length < 200 || at + length > bytes.length) continue;
    tries += 1;
    try {
      const certificate = new X509Certificate(bytes.subarray(at, at + length));
      found.set(certificate.fingerprint256, {
        subject: excerpt(certificate.subject.replaceAll('\n', ', '), 300),
        issuer: excerpt(certificate.issuer.replaceAll('\n', ', '), 300),
        serial: certificate.serialNumber,
        valid_from: certificate.validFrom,
        valid_to: certificate.validTo,
        sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      });
      at += length - 1;
    } catch {
      // Not a certificate: the next place is tried.
    }
  }
  return [...found.values()].slice(0, 10);
}

export function readSigningBlock(bytes: Uint8Array, directoryOffset: number): Signing {
  const view = makeByteView(bytes, true);
  if (view.latin1(directoryOffset - 16, 16) !== 'APK Sig Block 42') return { schemes: [], certificates: [] };
  const size = Number(view.u64(directoryOffset - 24));
  const start = directoryOffset - size - 8;
  if (size < 24 || start < 0) return { schemes: [], certificates: [] };
  const schemes: string[] = [];
  let certificates: Json[] = [];
  for (let at = start + 8, pairs = 0; at + 12 <= directoryOffset - 24 && pairs < 64; pairs += 1) {
    const length = Number(view.u64(at));
    if (length < 4 || length > directoryOffset - at) break;
    const scheme = schemeIds[view.u32(at + 8)];
    if (scheme !== undefined) schemes.push(scheme);
    if (scheme !== undefined && certificates.length === 0)
      certificates = findCertificates(view.slice(at + 12, length - 4));
    at += 8 + length;
  }
  return { schemes, certificates };
}
