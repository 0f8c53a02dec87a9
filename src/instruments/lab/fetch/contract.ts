import type { LookupAddress } from 'node:dns';

export interface FetchAllowance {
  /** Every private address: for a laboratory of one's own. */
  readonly privateAddresses?: boolean;
  /** Hosts whose addresses are not looked at: exact names or addresses, or `host:port`. */
  readonly hosts?: readonly string[];
}

/** Where the bytes go. `close` is called once when all are there, `remove` once when the fetch fails, begun or not. */
export interface FetchSink {
  write(chunk: Uint8Array): Promise<void>;
  close(): Promise<void>;
  remove(): Promise<void>;
}

export interface FetchOrder {
  readonly url: string;
  /** `Name: value` lines. */
  readonly headers?: readonly string[];
  readonly method?: 'GET' | 'POST';
  readonly body?: Uint8Array;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
  readonly allow?: FetchAllowance;
  /** All addresses of a name; the system's resolver when absent. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isCertificateIgnored?: boolean;
  /** Certificates of further authorities, PEM. */
  readonly authorities?: readonly string[];
  readonly signal?: AbortSignal;
  readonly sink: FetchSink;
}

export interface FetchHop {
  readonly url: string;
  readonly status: number;
  /** The address that was checked and connected to. */
  readonly address: string;
}

export interface FetchResult {
  readonly finalUrl: string;
  readonly status: number;
  /** The few headers that say something about the content; values are untrusted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly sha1: string;
  readonly md5: string;
  readonly address: string;
  readonly redirects: readonly FetchHop[];
  /** Made safe: one component, no path. */
  readonly suggestedName: string;
  readonly isCertificateIgnored: boolean;
  readonly notes: readonly string[];
}
