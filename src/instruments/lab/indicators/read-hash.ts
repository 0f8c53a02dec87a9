import type { Reader } from './kind.ts';
import { claim, type Scan } from './scan.ts';
import type { IndicatorType } from './types.ts';

/** Hashes: whole words of hexadecimal digits. What stands before 32 digits says which of three kinds they are. */

const labels: readonly (readonly [RegExp, IndicatorType])[] = [
  [/\bimp(?:ort)?[ _-]?hash["'`]?[\s:=|>"'`-]{1,8}$/, 'imphash'],
  [/\bja3s?(?:[ _-]?(?:hash|digest|fingerprint|md5))?["'`]?[\s:=|>"'`-]{1,8}$/, 'ja3'],
];

const ofNothing = new Set([
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
]);

function noiseOf(value: string): string | undefined {
  if (ofNothing.has(value)) return 'hash of no data';
  if (new Set(value).size < 5) return 'too regular to be a hash';
  if (/^\d+$/.test(value)) return 'looks like a number';
  if ('0123456789abcdef'.repeat(9).includes(value) || 'fedcba9876543210'.repeat(9).includes(value))
    return 'too regular to be a hash';
  if (value.length >= 32 && value === value.slice(0, 8).repeat(value.length / 8)) return 'too regular to be a hash';
  return undefined;
}

function labelOf(scan: Scan, from: number): IndicatorType | undefined {
  const before = scan.before(from, 28);
  return labels.find(([pattern]) => pattern.test(before))?.[1];
}

/** For the three types that look alike, `type` is told apart by the label; for the others only the length counts. */
export function hashReader(type: IndicatorType, length: number): Reader {
  return {
    trigger: 'word',
    read: (scan, from, to) => {
      if (to - from !== length) return undefined;
      const value = scan.text.slice(from, to).toLowerCase();
      if (!/^[0-9a-f]+$/.test(value)) return undefined;
      const isPart = scan.text.charAt(from - 1) === '-' && scan.text.charAt(to) === '-';
      const labelled = length === 32 ? labelOf(scan, from) : undefined;
      if ((labelled ?? 'md5') !== type && length === 32) return undefined;
      const inUrl = scan.claimAt(from) === claim.urlRest;
      const noise = noiseOf(value);
      const confidence = noise === undefined ? (inUrl || isPart ? 0.5 : 0.8) : 0.1;
      scan.report({ type, value, from, to, confidence, noise });
      return to;
    },
  };
}
