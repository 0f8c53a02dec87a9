import type { Readable, Writable } from 'node:stream';
import type { NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { BackendId, BoxRecord, ExitStatus } from '../../../engine/box/contract.ts';
import type { EgressAttempts } from '../../../engine/net/egress/attempts.ts';
import type { EgressMode } from '../../../engine/net/egress/rules-in-force.ts';
import type { Gap } from '../../../engine/policy/gap.ts';
import type { CanaryWatch, GuardMode, GuardRecorder, MessageRule, PreparedServer, ToolPins } from '../contract.ts';
import type { MessageGate } from '../stream/gate.ts';
import type { SeeingWatch } from './canary-eyes.ts';

/** One server behind the guard: what it is started with, and what is to be had of it while it runs. */

/** The side that the client is on. Neither stream is ended by the guard but `output`, when the server has ended. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** What the rules of a session need. */
export interface MessageRules {
  readonly rules: readonly MessageRule[];
  readonly pins: ToolPins;
  readonly canaries: CanaryWatch & SeeingWatch;
  readonly instructions: 'mark' | 'block' | 'pass';
  /** Rules remember what they saw: a further client of the same server gets its own. */
  readonly renewRules?: () => readonly MessageRule[];
}

export interface BoxWishes {
  readonly backend: BackendId | 'auto';
  readonly runtimeFolder: string;
  readonly dockerSocket?: string;
}

export interface GuardedOptions {
  readonly server: PreparedServer;
  /** What this server is called in the ledger, in pins and in what people are told. */
  readonly name: string;
  /** As it is to hold, the files of the server included: `effectivePolicy` puts it together. */
  readonly policy: Policy;
  readonly mode: GuardMode;
  /** Null for a server that does not speak over stdio: whoever moves its messages asks `openGate` about each of them. */
  readonly client: ClientStreams | null;
  /** For a client over stdio: the port in its box that a server listens on which speaks HTTP. */
  readonly innerPort?: number;
  readonly box: BoxWishes;
  /** Values for variables that the policy lists. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Names of gaps that the caller accepts. Everything else that is weaker than asked is a refusal. */
  readonly allowedGaps?: readonly string[];
  /** A folder that everything the sensors see is kept in; without it nothing watches the system calls. */
  readonly watchFolder?: string;
  /** It may still be opening: the box is made meanwhile. The server is let go when the ledger has its start. */
  readonly recorder: GuardRecorder | Promise<GuardRecorder>;
  /** Asked when the server has been let go: they are made ready while it starts, and no message passes before. */
  readonly openMessages: () => MessageRules | Promise<MessageRules>;
  /** One line for people: no new line, safe to show. */
  readonly tell?: (line: string) => void;
  /** Where the server's stderr goes, as it came; it is not ended. Without it nobody hears of it. */
  readonly errorOutput?: Writable;
  /** Ends the server politely. */
  readonly signal?: AbortSignal;
}

export type EndReason =
  /** The client has closed its side, or does not read any more. */
  | 'client-gone'
  /** The server ended by itself. */
  | 'server-ended'
  /** Somebody asked for it. */
  | 'stopped'
  /** A limit of the policy ended it. */
  | 'limit'
  /** The ledger or the relay failed: nothing may go on that is not told. */
  | 'failed';

export interface GuardedEnd {
  readonly reason: EndReason;
  readonly status: ExitStatus;
  /** Of `failed`. */
  readonly error?: unknown;
}

export interface GuardedServer extends AsyncDisposable {
  readonly session: string;
  readonly name: string;
  readonly policy: Policy;
  /** Of the policy in force. */
  readonly fingerprint: string;
  readonly record: BoxRecord;
  /** Weaker than asked, and accepted. */
  readonly acceptedGaps: readonly Gap[];
  /** Resolves when the server has ended, everything is in the ledger and the box is gone. It never rejects. */
  readonly ended: Promise<GuardedEnd>;
  /** The file that stands for the network of its box; null where it has none that can be entered. */
  readonly network: string | null;
  /** Decides about the messages of one client, where no client was given. */
  openGate(): MessageGate;
  /** Connections that the gate has refused so far. */
  readonly refusedConnections: number;
  /** What the gate has counted: names, datagrams and connections. */
  readonly egressAttempts: EgressAttempts;
  /** Takes the place of the network rules of the policy. False where there is no gate that could be told. */
  applyEgress(rules: readonly NetworkRule[], mode?: EgressMode): Promise<boolean>;
  /** Closes the server's input, waits, then insists. */
  stop(): void;
  /** The same, and waits for the end. */
  close(): Promise<void>;
}
