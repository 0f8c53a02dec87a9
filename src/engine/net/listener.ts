import type { Duplex } from 'node:stream';
import type { CertificateMaker } from './certificates/authority.ts';
import type { Caps, RouterConfig, ScriptedAnswer } from './config.ts';
import type { Answer, Question } from './dns/message.ts';
import type { AskedAddress, EventField, KeptBytes, NetEventKind, PeerAddress } from './event.ts';
import type { FakeNames } from './fake-names.ts';

/** The contract of a listener: one file with one definition, and one line in listeners.ts. */

export interface Details {
  readonly fields?: Readonly<Record<string, EventField>>;
  readonly bytes?: KeptBytes;
}

/** What there is in the fake internet and in front of the egress gate alike. */
export interface SharedWorld {
  readonly config: { readonly caps: Pick<Caps, 'keptBytes'> };
  readonly names: FakeNames;
  readonly resolver: { resolve(question: Question): Answer };
}

/** Everything that listeners of the fake internet share. */
export interface World extends SharedWorld {
  readonly config: RouterConfig;
  readonly certificates: CertificateMaker;
  /** How often each scripted answer was given. */
  readonly scriptsGiven: Map<ScriptedAnswer, number>;
  /** Lines of a TLS key log, for whoever reads the packet capture. */
  logKeys(line: Buffer): void;
}

interface Exchange {
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
  readonly world: World;
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
  readonly world: SharedWorld;
  readonly bytes: Buffer;
}

export interface DatagramListener {
  readonly id: string;
  readonly title: string;
  recognises(bytes: Buffer, port: number): boolean;
  /** The answer; null for silence. */
  serve(datagram: Datagram): Promise<Buffer | null>;
}
