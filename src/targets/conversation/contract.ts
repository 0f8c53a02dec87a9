import type { UntrustedText } from '../../base/untrusted.ts';

/** Talking to a server that may be hostile, broken or both: what it says is data, and nothing it does ends the talk. */

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** As it came; it need not be a schema. */
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

export interface ListedResource {
  readonly uri: string;
  readonly name?: string;
  readonly description?: string;
  /** True for a template such as `file:///{path}`. */
  readonly isTemplate: boolean;
}

export interface Listing {
  readonly tools: readonly ListedTool[];
  readonly prompts: readonly ListedPrompt[];
  readonly resources: readonly ListedResource[];
  readonly instructions?: string;
  /** What was broken, left out or cut, in words of ours. */
  readonly problems: readonly string[];
  /** The answers as they came, bounded, for inspection and comparison. */
  readonly raw: readonly unknown[];
}

export interface Handshake {
  readonly protocolVersion: string;
  readonly serverName: string;
  readonly serverVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  readonly problems: readonly string[];
}

export type CallOutcome =
  /** It answered; `isToolError` says whether the tool called that a failure. */
  | 'answered'
  | 'rpc-error'
  | 'timeout'
  /** The server went away, or its stream ended, before it answered. */
  | 'gone'
  /** What came for this call is no answer. */
  | 'invalid';

export interface CallResult {
  readonly outcome: CallOutcome;
  readonly isToolError: boolean;
  /** All text of the answer, also of errors and structured content, one after the other. */
  readonly text: UntrustedText;
  /** The answer as it came, bounded. */
  readonly raw: unknown;
  readonly durationMs: number;
}

/** Who the client says it is. Servers behave differently towards some. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

export interface ConversationOptions {
  readonly identity: ClientIdentity;
  /** Offered first; the server may answer with another one. */
  readonly protocolVersion?: string;
  readonly timeoutMs?: number;
  /** Everything that the server says without being asked, and every request it makes of the client. */
  readonly onMessage?: (message: {
    readonly kind: 'notification' | 'request' | 'noise';
    readonly content: unknown;
  }) => void;
}

/** One session with one server. Calls are made one after the other, so that every event belongs to one call. */
export interface Conversation {
  handshake(): Promise<Handshake>;
  list(): Promise<Listing>;
  call(tool: string, input: unknown, timeoutMs?: number): Promise<CallResult>;
  getPrompt(name: string, input: Readonly<Record<string, string>>, timeoutMs?: number): Promise<CallResult>;
  readResource(uri: string, timeoutMs?: number): Promise<CallResult>;
  /** Ends the session politely; bounded. */
  close(): Promise<void>;
}
