import type { SampleText } from '../contract.ts';

/** What goes in and what comes out of the search for indicators. */

export const indicatorTypes = [
  'url',
  'domain',
  'ipv4',
  'ipv6',
  'cidr',
  'email',
  'onion',
  'webhook',
  'user_agent',
  'network_port',
  'asn',
  'mac',
  'ja3',
  'ja4',
  'md5',
  'sha1',
  'sha256',
  'sha512',
  'ssdeep',
  'tlsh',
  'imphash',
  'windows_path',
  'unc_path',
  'unix_path',
  'file_name',
  'pdb_path',
  'registry_key',
  'mutex',
  'named_pipe',
  'scheduled_task',
  'service_name',
  'suspicious_executable',
  'powershell_cmdlet',
  'cloud_key',
  'private_key',
  'btc',
  'ltc',
  'doge',
  'trx',
  'eth',
  'xmr',
  'cve',
  'attack_technique',
] as const;
export type IndicatorType = (typeof indicatorTypes)[number];

export interface Indicator {
  readonly type: IndicatorType;
  /** Canonical: defanging undone, in small letters where case does not matter. Untrusted. */
  readonly value: string;
  /** As it first stood in the text, where that is different. Untrusted. */
  readonly original?: string;
  /** From 0 to 1: how sure the reading is, not how bad the thing. */
  readonly confidence: number;
  /** How often it was seen. */
  readonly count: number;
  /** Labels of the texts it was seen in, at most ten. */
  readonly sources: readonly string[];
  /** At most 120 characters around where it first stood. Untrusted. */
  readonly context: string;
  /** Why it is probably of no use. Such ones are told apart, never dropped in silence. */
  readonly noise?: string;
}

export interface IndicatorOptions {
  /** Also give what is noise, with the reason. It is counted in any case. */
  readonly includeNoise?: boolean;
  /** Private, loopback, link-local addresses and local names are no noise then. */
  readonly includePrivateAddresses?: boolean;
  /** Hashes of the sample itself, in any case of letters: left out. */
  readonly ownHashes?: readonly string[];
  /** Only these types; all when it is not given. */
  readonly types?: readonly IndicatorType[];
  /** Paging, counted for each type on its own. */
  readonly offset?: number;
  readonly limit?: number;
  /** Asked every few thousand steps; throws when the time is up. */
  readonly tick?: () => void;
}

export interface TypeTotal {
  /** Distinct values that are no noise. */
  readonly total: number;
  /** Distinct values that are noise. */
  readonly noise: number;
  /** How many of this type are on this page. */
  readonly shown: number;
  /** Sightings that were not kept because the cap on distinct values was reached. */
  readonly dropped: number;
}

export interface IndicatorResult {
  /** By type in the order of `indicatorTypes`, then the surest first. */
  readonly indicators: readonly Indicator[];
  /** Types that were seen at all. */
  readonly totals: Partial<Record<IndicatorType, TypeTotal>>;
  readonly total: number;
  readonly noiseTotal: number;
  /** Where the next page begins, when there is one. */
  readonly nextOffset?: number;
  /** What was cut or left out. */
  readonly notes: readonly string[];
}

export type IndicatorTexts = readonly SampleText[] | string;
