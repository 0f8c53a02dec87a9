import type { Duplex } from 'node:stream';
import type { CertificateMaker } from './certificates/authority.ts';
import type { RouterConfig, ScriptedAnswer } from './config.ts';
import type { Resolver } from './dns/resolve.ts';
import type { AskedAddress, EventField, KeptBytes, NetEventKind, PeerAddress } from './event.ts';
import type { FakeNames } from './fake-names.ts';

/** The contract of a listener: one file with one definition, and one line in listeners.ts. */

export interface Details {
  readonly fields?: Readonly<Record<string, EventField>>;
  readonly bytes?: KeptBytes;
}

/** Everything that listeners share. */
export interface World {
  readonly config: RouterConfig;
  readonly names: FakeNames;
  readonly resolver: Resolver;
  readonly certificates: CertificateMaker;
  /** How often each scripted answer was given. */
  readonly scriptsGiven: Map<ScriptedAnswer, number>;
  /** Lines of a TLS key log, for whoever reads the packet capture. */
  logKeys(line: Buffer): void;
}

interface Exchange {
  readonly world: World;
  readonly connection: number;
  readonly peer: PeerAddress;
  readonly asked: AskedAddress;
  /** Wait for it before reading on: it is what slows a flood down. */
  record(kind: NetEventKind, details?: Details): Promise<void>;
}

export interface TlsFacts {
  readonly serverName: string | null;
  readonly alpn: string | null;
}

export interface Conversation extends Exchange {
  readonly socket: Duplex;
  /** Null on a connection in the clear. */
  readonly tls: TlsFacts | null;
  /** Serves another stream of the same connection: what is inside TLS, or inside a tunnel to another address. */
  continueWith(socket: Duplex, change: { readonly tls?: TlsFacts; readonly asked?: AskedAddress }): Promise<void>;
}

/** What the first bytes look like. */
export type Taste = 'yes' | 'no' | 'more';

export interface StreamListener {
  readonly id: string;
  readonly title: string;
  /** True when it serves this port whatever the first bytes are; such a listener may speak first. */
  claims(port: number, tls: TlsFacts | null): boolean;
  taste(bytes: Buffer, tls: TlsFacts | null): Taste;
  serve(conversation: Conversation): Promise<void>;
}

export interface Datagram extends Exchange {
  readonly bytes: Buffer;
}

export interface DatagramListener {
  readonly id: string;
  readonly title: string;
  recognises(bytes: Buffer, port: number): boolean;
  /** The answer; null for silence. */
  serve(datagram: Datagram): Promise<Buffer | null>;
}
