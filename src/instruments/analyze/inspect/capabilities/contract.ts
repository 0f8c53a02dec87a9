import type { HandlerRecord } from '../taint/contract.ts';

export const capabilityIds = [
  'process',
  'file-read',
  'file-write',
  'network-out',
  'network-listen',
  'environment',
  'eval',
  'dynamic-import',
  'native',
  'clipboard',
  'keychain',
] as const;
export type CapabilityId = (typeof capabilityIds)[number];

export interface Place {
  readonly path: string;
  readonly line: number;
  /** The function by its module: `child_process.exec`, `global.fetch`, or `?.execSync` when the module is not known. */
  readonly via: string;
}

export interface Capability {
  readonly id: CapabilityId;
  /** The first places; `total` counts them all. */
  readonly places: readonly Place[];
  readonly total: number;
  readonly modules: readonly string[];
  /** Whether code that a client can start leads there; unknown when it was not seen to, and not every handler was found. */
  readonly isReachedByHandlers: boolean | 'unknown';
  /** Whether a text for people says so; unknown when the package has no such text. */
  readonly isDeclared: boolean | 'unknown';
}

export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What is said of a tool, in its code or by a running server. */
export interface ToolDescription {
  readonly name: string;
  readonly description?: string;
  readonly annotations?: ToolAnnotations;
}

export interface InspectedTool extends ToolDescription {
  readonly path: string;
  readonly line: number;
  /** What its handler leads to; undefined when no handler was found for it. */
  readonly reaches: readonly CapabilityId[] | undefined;
}

/** What a package says of itself, in texts for people and in manifests. */
export interface Declarations {
  readonly texts: readonly { readonly path: string; readonly text: string }[];
}

export interface CapabilityOptions {
  /** Read from the package when not given. */
  readonly declared?: Declarations;
  /** From a capture or a running server; they count more than what the code seems to say. */
  readonly tools?: readonly ToolDescription[];
  /** Handlers that another analysis found. */
  readonly handlers?: readonly HandlerRecord[];
}

export interface CapabilityReport {
  readonly capabilities: readonly Capability[];
  readonly tools: readonly InspectedTool[];
  readonly analysedFiles: number;
}
