import type { Readable, Writable } from 'node:stream';
import type { GuardRecorder } from '../contract.ts';
import type { GatewayLimits } from './limits.ts';

/** Several servers as one: what the gateway is made of, and what is to be had of it while it runs. */

/** The client's side of one server, as a server behind the guard wants it. */
export interface PortStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** A server that was started. `GuardedServer` is one. */
export interface OpenServer {
  /** Resolves when the server has ended; it never rejects. */
  readonly ended: Promise<{ readonly reason: string }>;
  close(): Promise<void>;
}

export interface GatewayServer {
  /** As a person calls it; what tools and prompts are labelled with is made from it. */
  readonly name: string;
  /** Starts it. It reads from `input` and writes to `output`, one message per line. */
  open(client: PortStreams, signal: AbortSignal): Promise<OpenServer>;
}

export interface GatewayOptions {
  readonly servers: readonly GatewayServer[];
  /** The one client. Its output is ended by the gateway when everything is over. */
  readonly client: PortStreams;
  readonly recorder: GuardRecorder;
  /** What the gateway calls itself. */
  readonly identity?: { readonly name: string; readonly version: string };
  readonly limits?: Partial<GatewayLimits>;
  /** One line for people: no new line, safe to show. */
  readonly tell?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export type ServerState =
  | { readonly is: 'starting' }
  | { readonly is: 'ready'; readonly protocolVersion: string }
  /** It did not start, ended, or broke the protocol. Its tools are gone, and nobody else's. */
  | { readonly is: 'lost'; readonly because: string };

export interface ServerCounts {
  /** Messages of the server that went nowhere: wrong ids, unknown tokens, too many, too long. */
  readonly dropped: number;
  readonly requests: number;
}

export interface Gateway extends AsyncDisposable {
  /** Resolves when the client has gone, the signal said so, or `close` was called; it rejects only when the ledger failed. */
  readonly ended: Promise<void>;
  status(): readonly {
    readonly name: string;
    readonly label: string;
    readonly state: ServerState;
    readonly counts: ServerCounts;
  }[];
  close(): Promise<void>;
}

/** What a file of servers has for the gateway. */
export interface GatewayEntry {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface GatewayConfig {
  readonly entries: readonly GatewayEntry[];
  /** Servers that are not taken, and why. */
  readonly refused: readonly { readonly name: string; readonly why: string }[];
  readonly problems: readonly string[];
}
