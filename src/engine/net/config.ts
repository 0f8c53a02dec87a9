/** What the router process is told when it starts. Plain data: it crosses to the process as JSON. */

export interface ScriptedAnswer {
  /** Host name as the box writes it, `*` for every host. */
  readonly host: string;
  /** Beginning of the path. Default: every path. */
  readonly path?: string;
  /** Default: every method. */
  readonly method?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of the two; text is sent as UTF-8. */
  readonly text?: string;
  readonly base64?: string;
  /** The text so many times, and this after it: a large answer need not be written out. */
  readonly repeat?: { readonly count: number; readonly end: string };
  /** Sent in chunks, so that nobody is told beforehand how long it is. */
  readonly isChunked?: boolean;
  /** How many times it is given; after that the next one that fits is. Default: for ever. */
  readonly times?: number;
}

/** A file that a registry look-alike serves: downloaded before the run, by the caller. */
export interface Artefact {
  /** Name of the package as its registry writes it. */
  readonly name: string;
  readonly version: string;
  readonly fileName: string;
  readonly base64: string;
  /** npm: the manifest of this version. */
  readonly manifest?: Readonly<Record<string, unknown>>;
}

export interface Registry {
  readonly kind: 'npm' | 'pypi';
  /** Host names from the configuration of npm or pip, and of their file servers. */
  readonly hosts: readonly string[];
  readonly artefacts: readonly Artefact[];
}

/** Bait credentials; the caller makes them, so that they can be recognised when they leave. */
export interface MetadataBait {
  readonly aws?: {
    readonly role: string;
    readonly accessKeyId: string;
    readonly secret: string;
    readonly token: string;
  };
  readonly gcp?: { readonly account: string; readonly project: string; readonly token: string };
  readonly azure?: { readonly token: string };
}

export interface DnsRecordSeed {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'TXT' | 'MX' | 'SRV' | 'NXDOMAIN';
  /** As in a zone file; for MX `10 mail.example.com`, for SRV `0 5 5060 sip.example.com`. */
  readonly value: string;
  /** How many questions it answers; after that the next one of its name and type does. Default: all. */
  readonly times?: number;
}

export interface Caps {
  readonly connections: number;
  /** Bytes kept of one request, response, message or raw connection. */
  readonly keptBytes: number;
  /** Bytes read of one body or connection before it is cut off. */
  readonly readBytes: number;
  readonly idleMs: number;
  /** How long to wait for a peer that may expect us to speak first. */
  readonly tasteMs: number;
}

export const defaultCaps: Caps = {
  connections: 2048,
  keptBytes: 1024 * 1024,
  readBytes: 64 * 1024 * 1024,
  idleMs: 60_000,
  tasteMs: 1500,
};

/** What the router process is told when it is the box's side of the egress gate. */
export interface GateConfig {
  readonly seed: string;
  /** Hosts of the policy's rules; their ports are checked where the connection is made. */
  readonly hosts: readonly string[];
  /** Where DNS over TCP is answered; null for every address. */
  readonly resolvers: readonly string[] | null;
  readonly caps: Pick<Caps, 'connections' | 'keptBytes' | 'idleMs'>;
}

export interface RouterConfig {
  /** Makes the fake addresses of this run differ from those of others. */
  readonly seed: string;
  readonly authority: { readonly certificatePem: string; readonly keyPem: string };
  readonly dns: readonly DnsRecordSeed[];
  readonly scripts: readonly ScriptedAnswer[];
  readonly registries: readonly Registry[];
  readonly metadata: MetadataBait;
  readonly caps: Caps;
}
