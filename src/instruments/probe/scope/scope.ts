import type { PortRange } from '../contract.ts';
import type { AddressRange } from './address-range.ts';
import type { ScopeDocument } from './schema.ts';
import type { UrlPrefix } from './url-prefix.ts';

/** A scope as it was when the program started. Frozen through and through; nothing reads its file again. */
export interface LoadedScope {
  /** As written, without `$schema`. */
  readonly document: ScopeDocument;
  readonly name: string;
  readonly file: string;
  /** sha256 of the document, whatever the order of its keys. */
  readonly fingerprint: string;
  /** Addresses of every name, as they were resolved at the start. */
  readonly pins: ReadonlyMap<string, readonly string[]>;
  /** What whoever wrote it should know. */
  readonly notes: readonly string[];
  /** Addresses and ranges of `targets`. */
  readonly ranges: readonly AddressRange[];
  /** Sorted and merged. */
  readonly ports: readonly PortRange[];
  /** Empty means every path of the targets. */
  readonly urls: readonly UrlPrefix[];
  /** Empty means every method. */
  readonly methods: readonly string[];
  readonly rate: { readonly requestsPerSecond: number; readonly connectionsPerSecond: number };
  readonly concurrency: { readonly scans: number; readonly perTarget: number; readonly connections: number };
}
