import type { z } from 'zod';
import type { LedgerVerdict } from '../../engine/ledger/contract.ts';
import type { Lab } from '../../instruments/lab/lab.ts';
import type { Probe } from '../../instruments/probe/probe.ts';
import type { LoadedSettings } from '../settings/index.ts';

/**
 * A tool is one definition in one file: from it come the MCP registration, `hotcell tool NAME`, the JSON Schemas and the
 * reference. A handler computes and writes to a collector; it never builds messages of a protocol.
 */

export type ToolsetId = 'analyze' | 'guard' | 'lab' | 'probe';

export interface ToolAnnotations {
  /** It changes nothing, neither here nor elsewhere. */
  readonly readOnly: boolean;
  /** It may remove or overwrite something that was there before. */
  readonly destructive: boolean;
  /** Calling it twice with the same input is the same as once. */
  readonly idempotent: boolean;
  /** It reaches other machines. */
  readonly openWorld: boolean;
}

export interface ToolLimits {
  /** After this time the call is cancelled, with everything that it started. */
  readonly timeoutMs: number;
  /** What the answer may hold; beyond it goes to a file of the run, and the answer says how to read on. */
  readonly outputBytes: number;
}

/** Text that came from a target: it is fenced and labelled on its way to a model, and never altered silently. */
export interface UntrustedPart {
  readonly label: string;
  readonly text: string;
}

/** What a handler writes to. The order of what is said is kept. */
export interface ResponseCollector {
  /** Words of ours. */
  say(text: string): void;
  quote(part: UntrustedPart): void;
}

export interface ToolProgress {
  readonly phase: string;
  /** 0 to 1, where it is known. */
  readonly share?: number;
}

/** One thing that was done or decided, for the ledger. */
export interface LedgerEntry {
  readonly tool: string;
  readonly what: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Values that may hold a secret: in the ledger stands a keyed hash of each, by its name. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Two words with a dot. Default: `tool.call`. */
  readonly action?: string;
  /** Default: `allowed`. */
  readonly verdict?: LedgerVerdict;
  readonly server?: string;
  /** Fingerprint of the policy that holds. */
  readonly policy?: string;
  readonly rule?: string;
}

export interface RecordedEntry extends LedgerEntry {
  readonly toolset: ToolsetId;
}

export interface ToolContext {
  readonly settings: LoadedSettings;
  /** Folder that relative paths of an input are relative to. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** Aborted by the client, by the time limit, or when the client has gone away. */
  readonly signal: AbortSignal;
  readonly limits: ToolLimits;
  readonly out: ResponseCollector;
  readonly progress: (progress: ToolProgress) => void;
  /** Resolves when it is on the disk. A call whose entry could not be written fails, whether or not it waited. */
  readonly record: (entry: LedgerEntry) => Promise<void>;
  readonly jobs: JobBoard;
  /** The lab that this door serves, opened when it is first asked for. */
  readonly lab: () => Promise<Lab>;
  /** Probe with its scope, the same. */
  readonly probe: () => Promise<Probe>;
}

export type JobState = 'running' | 'done' | 'failed' | 'cancelled';

export interface JobStatus {
  readonly id: string;
  readonly title: string;
  readonly state: JobState;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly progress: ToolProgress;
  /** Why it failed, in words. */
  readonly error?: string;
  /** Where it failed: what a command line ends with. */
  readonly exitCode?: number;
  /** What it failed of, as it was thrown: a call that waited for the job fails of the same. */
  readonly thrown?: unknown;
}

/** Long work that outlives the call that started it. Everything still running ends when the board is closed. */
export interface JobBoard {
  start<Result>(
    title: string,
    work: (signal: AbortSignal, progress: (progress: ToolProgress) => void) => Promise<Result>,
  ): JobStatus;
  status(id: string): JobStatus | null;
  list(): readonly JobStatus[];
  /** Null while it runs, or when there is no such job. */
  result(id: string): unknown;
  cancel(id: string): Promise<JobStatus | null>;
  /** Resolves when the job has ended, or after this time. */
  wait(id: string, timeoutMs: number): Promise<JobStatus | null>;
}

export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** As a model calls it: lower case words with underscores. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: ToolsetId;
  /** Every number has a range and every text a length. */
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  /** Takes no free text that a shell or another program would interpret. */
  readonly closed?: boolean;
  readonly limits: ToolLimits;
  /** For `hotcell tool NAME --help` and the reference. */
  readonly examples: readonly { readonly input: z.input<Input>; readonly says: string }[];
  /** What it returns has to fit `output`. Errors are thrown as UsageError, TargetError or HostError. */
  handle(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
}

/** A text template that a person picks in a client. */
export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: ToolsetId;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
  render(input: Readonly<Record<string, string>>): string;
}

/** Documents of past runs, by address. */
export interface ResourceDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: ToolsetId;
  /** RFC 6570, such as `hotcell://runs/{run}/report`. */
  readonly template: string;
  readonly mimeType: string;
  list(context: Pick<ToolContext, 'settings'>): Promise<readonly { readonly uri: string; readonly title: string }[]>;
  /** Null where there is no such thing. */
  read(
    variables: Readonly<Record<string, string>>,
    context: Pick<ToolContext, 'settings'>,
  ): Promise<{ readonly text: string } | null>;
}

export interface Toolset {
  readonly id: ToolsetId;
  readonly title: string;
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly resources: readonly ResourceDefinition[];
  /** Tools that cannot work on this machine, each with the reason. Asked once, when a server starts. */
  readonly findUnavailable?: () => Promise<ReadonlyMap<string, string>>;
}
