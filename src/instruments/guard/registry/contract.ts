import type { Policy, Tier } from '../../../base/policy-schema.ts';
import type { EgressAttempts } from '../../../engine/net/egress/attempts.ts';
import type { EgressMode } from '../../../engine/net/egress/rules-in-force.ts';
import type { CompileTarget } from '../../../engine/policy/compile/index.ts';
import type { EgressOrderDocument, RunningDocument, SubprocessDocument } from './documents.ts';

/** Registered subprocesses: what may be started, under which policy, and what is told to the boxes that run. */

/** What is different from the tier. Lists of files add to the tier's; the list of hosts takes the place of the tier's. */
export interface IsolationProfile {
  /** Files and folders of this machine, to be read and executed. */
  readonly fsReadOnly?: readonly string[] | undefined;
  /** Files and folders of this machine, to be read and written, and never to be executed. */
  readonly fsWritable?: readonly string[] | undefined;
  /**
   * The CPU time that all of its processes may use together, in milliseconds. A box has a share of the cores and a clock:
   * it is ended as soon as this much could have been used at full load, which is after cpuMs divided by the cores.
   */
  readonly cpuMs?: number | undefined;
  readonly memMB?: number | undefined;
  /** Processes and threads together. */
  readonly pidMax?: number | undefined;
  /** `*`, `host:port`, `.suffix:port`, `host:*`, `[v6]:port`. */
  readonly egressAllowlist?: readonly string[] | undefined;
}

export interface RegisterRequest {
  readonly serverId: string;
  readonly binary: string;
  readonly args: readonly string[];
  readonly trustTier: Tier;
  readonly isolationProfile?: IsolationProfile;
}

export const describedTargets = ['landlock', 'bwrap', 'cgroup', 'seatbelt'] as const satisfies readonly CompileTarget[];
export type DescribedTarget = (typeof describedTargets)[number];

/** The policy in the form of one backend, for reading. */
export interface PolicyDescriptor {
  readonly target: DescribedTarget;
  readonly text: string;
  readonly gaps: readonly { readonly id: string; readonly what: string; readonly effect: 'open' | 'closed' }[];
}

export interface Registered {
  /** `sp_` and 24 hexadecimal digits. */
  readonly handle: string;
  readonly subprocess: SubprocessDocument;
  /** Worth knowing about the command or the profile. */
  readonly notes: readonly string[];
}

export interface AuditRequest {
  readonly requestedArgs: readonly string[];
  readonly requestedBinary?: string | undefined;
  /** Names of the variables that it is to be started with. */
  readonly environment?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
}

export const auditVerdicts = ['approve', 'block', 'quarantine'] as const;
export type AuditVerdict = (typeof auditVerdicts)[number];

export const auditedParts = ['binary', 'arguments', 'environment', 'folder', 'command-shape'] as const;

export interface AuditCheck {
  readonly part: (typeof auditedParts)[number];
  /** `suspect` is the same to the eye and not the same. */
  readonly is: 'pass' | 'fail' | 'suspect' | 'not-asked';
  readonly why: string;
}

export interface Audit {
  readonly verdict: AuditVerdict;
  readonly reason: string;
  readonly checks: readonly AuditCheck[];
}

export interface EgressRequest {
  readonly allowlist: readonly string[];
  readonly mode: EgressMode;
}

/** What is running now, as far as its process says so. */
export interface Running {
  readonly key: string;
  readonly guard: RunningDocument;
}

/** A subprocess whose egress is only looked at. */
export interface AuditOnly {
  readonly handle: string;
  readonly serverId: string;
  readonly mode: EgressMode;
  readonly modeSetAt: string;
}

export interface EgressState {
  /** Null when the rules are those of the registration. */
  readonly order: EgressOrderDocument | null;
  readonly mode: EgressMode;
  readonly modeSetAt: string;
  readonly running: readonly Running[];
  /** Of the boxes that run and of those that have ended. */
  readonly attempts: EgressAttempts;
}

export interface Registry {
  /** What a registration would be: nothing is kept yet, so that it can be told first. */
  prepare(request: RegisterRequest): Registered;
  keep(registered: Registered): void;
  /** Both at once. */
  register(request: RegisterRequest): Registered;
  /** UsageError when there is no such handle. */
  get(handle: string): SubprocessDocument;
  list(): readonly { readonly handle: string; readonly subprocess: SubprocessDocument }[];
  /** The policy as it holds now: that of the registration with the hosts that were injected since. */
  policyOf(handle: string): Policy;
  audit(handle: string, request: AuditRequest): Audit;
  injectEgress(handle: string, request: EgressRequest): EgressOrderDocument;
  egressOf(handle: string): EgressState;
  /** Those that only tell what is not listed, and since when. Nothing is written. */
  auditOnly(): readonly AuditOnly[];
}
