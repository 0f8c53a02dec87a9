import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { getPublicSuffix, parse } from 'tldts';
import { limits } from './limits.ts';

/** What a name of a host is, by the list of public suffixes and by the few endings that are no part of it. */

export interface HostReading {
  /** In small letters, labels of other scripts in their ASCII form. */
  readonly host: string;
  readonly labels: readonly string[];
  readonly ending: string;
  readonly kind: 'public' | 'onion' | 'alternative' | 'local' | 'reserved';
}

const endings: Readonly<Record<string, HostReading['kind']>> = {
  onion: 'onion',
  i2p: 'alternative',
  bit: 'alternative',
  bazar: 'alternative',
  emc: 'alternative',
  coin: 'alternative',
  lib: 'alternative',
  local: 'local',
  localdomain: 'local',
  lan: 'local',
  internal: 'local',
  intranet: 'local',
  corp: 'local',
  home: 'local',
  example: 'reserved',
  invalid: 'reserved',
  test: 'reserved',
};

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

export function readHost(raw: string): HostReading | undefined {
  if (raw.length < 4 || raw.length > limits.hostLength || !raw.includes('.')) return undefined;
  let host = raw.toLowerCase();
  if (/[^\x00-\x7f]/.test(host)) {
    if (/[^\p{L}\p{N}\p{M}.\u00b7-]/u.test(host.replace(/_/g, ''))) return undefined;
    host = domainToASCII(host);
  }
  if (host.length < 4 || host.length > limits.hostLength) return undefined;
  const labels = host.split('.');
  const ending = labels.at(-1) ?? '';
  if (labels.length < 2 || !/^(?:[a-z]{2,}|xn--[a-z0-9-]{1,59})$/.test(ending)) return undefined;
  if (!labels.every((part) => label.test(part)) || (labels.at(-2) ?? '').includes('_')) return undefined;
  const other = Object.hasOwn(endings, ending) ? endings[ending] : undefined;
  if (other !== undefined) return { host, labels, ending, kind: other };
  const { isIcann, domain } = parse(host, { extractHostname: false, validateHostname: false });
  if (isIcann !== true || domain === null) return undefined;
  return { host, labels, ending, kind: 'public' };
}

export function isTopLevel(ending: string): boolean {
  return Object.hasOwn(endings, ending) || getPublicSuffix(`a.${ending}`, { extractHostname: false }) === ending;
}

/** example.com and its kin, which belong to nobody. */
export function isDocumentation(host: string): boolean {
  return /(?:^|\.)example\.(?:com|net|org|edu)$/.test(host);
}

const ranges4: readonly (readonly [number, number, string, 'private' | 'documentation' | 'special'])[] = [
  [0x00000000, 8, 'address of no host', 'special'],
  [0x0a000000, 8, 'private address', 'private'],
  [0x64400000, 10, 'shared address of a provider', 'private'],
  [0x7f000000, 8, 'loopback address', 'private'],
  [0xa9fe0000, 16, 'link-local address', 'private'],
  [0xac100000, 12, 'private address', 'private'],
  [0xc0a80000, 16, 'private address', 'private'],
  [0xc0000200, 24, 'documentation address', 'documentation'],
  [0xc6336400, 24, 'documentation address', 'documentation'],
  [0xcb007100, 24, 'documentation address', 'documentation'],
  [0xc6120000, 15, 'address for benchmarks', 'private'],
  [0xe0000000, 4, 'multicast address', 'special'],
  [0xf0000000, 4, 'reserved address', 'special'],
];

export interface AddressReading {
  readonly reason: string;
  readonly kind: 'private' | 'documentation' | 'special';
}

export function rangeOf4(address: string): AddressReading | undefined {
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  for (const [base, bits, reason, kind] of ranges4) {
    const size = 2 ** (32 - bits);
    if (value >= base && value < base + size) return { reason, kind };
  }
  return undefined;
}

const prefixes6: readonly (readonly [RegExp, string, AddressReading['kind']])[] = [
  [/^::$/, 'address of no host', 'special'],
  [/^::1$/, 'loopback address', 'private'],
  [/^fe[89ab]/, 'link-local address', 'private'],
  [/^f[cd]/, 'private address', 'private'],
  [/^ff/, 'multicast address', 'special'],
  [/^2001:db8:/, 'documentation address', 'documentation'],
];

export function rangeOf6(address: string): AddressReading | undefined {
  const entry = prefixes6.find(([pattern]) => pattern.test(address));
  return entry && { reason: entry[1], kind: entry[2] };
}

/** The shortest form, or nothing when it is none. */
export function canonical6(raw: string): string | undefined {
  if (raw.length > 45 || !isIPv6(raw)) return undefined;
  try {
    return new URL(`http://[${raw}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

export function isAddress4(text: string): boolean {
  return text.length <= 15 && isIPv4(text);
}
