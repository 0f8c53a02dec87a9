import { createHash } from 'node:crypto';
import {
  type AddressReading,
  canonical6,
  type HostReading,
  isAddress4,
  rangeOf4,
  rangeOf6,
  readHost,
} from './hosts.ts';
import { type Judgement, judgeDomain } from './judge-domain.ts';
import type { Scan } from './scan.ts';
import { networkWords, versionWords } from './tables/code-words.ts';
import { knownAddresses } from './tables/known-hosts.ts';

/** A host, wherever it stands: an address, an onion service or a domain. Each gets its type, its weight and its reason. */

interface Place {
  readonly from: number;
  readonly to: number;
  /** In a URL, an e-mail address or a share. */
  readonly isHost: boolean;
}

function judgeRange(scan: Scan, range: AddressReading | undefined, confidence: number): Judgement {
  if (range === undefined) return { confidence };
  if (range.kind === 'documentation') return { confidence: Math.min(confidence, 0.3) };
  if (range.kind === 'private' && scan.includePrivateAddresses) return { confidence: Math.min(confidence, 0.4) };
  return { confidence: 0.1, noise: range.reason };
}

/** Four small numbers can be a version; what stands around them decides. */
function judge4(scan: Scan, value: string, place: Place): Judgement {
  const range = judgeRange(scan, rangeOf4(value), 0.6);
  if (knownAddresses.has(value)) return { confidence: 0.2, noise: 'public name server' };
  if (place.isHost) return range;
  const before = scan.before(place.from);
  const after = scan.after(place.to);
  if (/^:\d{1,5}(?!\d)/.test(after) || networkWords.test(before)) return range;
  if (versionWords.test(before)) return { confidence: 0.1, noise: 'looks like a version number' };
  if (/^2\.5\.29\.|^1\.3\.(?:6|14|36|132)\./.test(value) || /\boid\b[^a-z0-9]{0,4}$/.test(before))
    return { confidence: 0.1, noise: 'looks like an object identifier' };
  if (range.noise !== undefined) return range;
  const parts = value.split('.').map(Number);
  const isVersionLike = parts.every((part) => part <= 20) && parts.includes(0);
  return { confidence: isVersionLike ? 0.3 : Math.min(0.5, range.confidence) };
}

export function report4(scan: Scan, value: string, place: Place): void {
  scan.report({ type: 'ipv4', value, from: place.from, to: place.to, ...judge4(scan, value, place) });
}

export function report6(scan: Scan, raw: string, place: Place): boolean {
  const value = canonical6(raw);
  if (value === undefined) return false;
  const groups = raw.split(':').filter((group) => group !== '');
  const range = judgeRange(scan, rangeOf6(value), 0.6);
  const isCodeLike =
    !place.isHost && groups.length < 3 && !groups.some((group) => group.length > 2 && /\d/.test(group));
  const judged: Judgement =
    isCodeLike && range.noise === undefined ? { confidence: 0.1, noise: 'too short, looks like program code' } : range;
  scan.report({ type: 'ipv6', value, from: place.from, to: place.to, ...judged });
  return true;
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Of the third version the name carries a checksum of itself. */
export function isGenuineOnion(name: string): boolean {
  let bits = 0n;
  for (const character of name) {
    const value = base32.indexOf(character);
    if (value < 0) return false;
    bits = (bits << 5n) | BigInt(value);
  }
  const bytes = Buffer.from(bits.toString(16).padStart(70, '0'), 'hex');
  if (bytes.length !== 35 || bytes[34] !== 3) return false;
  const hash = createHash('sha3-256')
    .update('.onion checksum')
    .update(bytes.subarray(0, 32))
    .update(Buffer.from([3]))
    .digest();
  return hash[0] === bytes[32] && hash[1] === bytes[33];
}

function reportOnion(scan: Scan, labels: readonly string[], place: Place): void {
  const name = labels.at(-2) ?? '';
  const isThird = /^[a-z2-7]{56}$/.test(name);
  const isSecond = /^[a-z2-7]{16}$/.test(name);
  if (!isThird && !isSecond) return;
  const confidence = isThird ? (isGenuineOnion(name) ? 0.95 : 0.5) : 0.6;
  scan.report({ type: 'onion', value: labels.join('.'), from: place.from, to: place.to, confidence });
}

export function hostOf(scan: Scan, raw: string): HostReading | undefined {
  return scan.remember('host', raw, () => readHost(raw));
}

/** Gives back whether it was a host at all. */
export function reportHost(scan: Scan, raw: string, place: Place): boolean {
  if (isAddress4(raw)) {
    report4(scan, raw, place);
    return true;
  }
  const reading = hostOf(scan, raw);
  if (reading === undefined) return false;
  if (reading.kind === 'onion') {
    reportOnion(scan, reading.labels, place);
    return true;
  }
  const { fileConfidence, ...judged } = judgeDomain(reading, {
    isHost: place.isHost,
    spelled: raw,
    before: place.isHost ? '' : scan.before(place.from),
    after: place.isHost ? '' : scan.after(place.to, 8),
    includePrivateAddresses: scan.includePrivateAddresses,
  });
  scan.report({ type: 'domain', value: reading.host, from: place.from, to: place.to, ...judged });
  if (fileConfidence !== undefined) {
    scan.report({
      type: 'file_name',
      value: raw,
      key: raw.toLowerCase(),
      from: place.from,
      to: place.to,
      confidence: fileConfidence,
    });
  }
  return true;
}
