import type { Analysis } from '../../../../base/analysis-schema.ts';
import type { Finding } from '../../../../base/finding-schema.ts';
import type { Policy } from '../../../../base/policy-schema.ts';
import type { CellOptions, CompletenessReport } from '../../../../engine/cell/index.ts';
import type { DecoyHome } from '../../../../engine/decoy/index.ts';
import type { Handshake, Listing } from '../../../../targets/conversation/contract.ts';
import type { PeerCounts } from '../../../../targets/conversation/index.ts';
import type { InstallPlan } from '../../../../targets/install/contract.ts';
import type { AnalyzeWishes, Progress } from '../../run/contract.ts';
import type { Knowledge, World } from '../arguments/index.ts';
import type { Cause, ComparedListing } from '../listings/index.ts';
import type { ResourceSession } from '../resources/index.ts';
import type { Crash, HonestCall, MadeTrial, ProvenTrial, ToolSession } from '../session/contract.ts';
import type { Launch, LaunchFacts } from '../start/contract.ts';
import type { NotTried } from '../trials/index.ts';

/** A target is let loose in a cell, phase by phase, and everything about it is kept. */

/** What of a launch is known before there is a box. */
export type TargetFacts = Omit<LaunchFacts, 'installed' | 'world' | 'given' | 'bait'>;

export interface DetonateOptions {
  readonly target: TargetFacts;
  readonly install: InstallPlan;
  readonly policy: Policy;
  readonly box: Pick<CellOptions, 'backend' | 'runtimeFolder' | 'dockerSocket'>;
  readonly folder: string;
  readonly wishes: AnalyzeWishes;
  readonly knowledge: Knowledge;
  /** What inspection, which goes on beside, thinks likely, by tool. */
  readonly likely: Promise<readonly { readonly tool: string; readonly class: string; readonly parameter?: string }[]>;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Something that was done in a part of a run which is not the first session, with the time that it took. */
export interface VariantSpan {
  readonly id: string;
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

export interface ListingDifferences {
  readonly cause: Cause;
  readonly compared: readonly ComparedListing[];
}

export interface Detonated {
  readonly run: string;
  readonly backend: string;
  readonly folders: { readonly home: string; readonly work: string; readonly tmp: string };
  readonly home: DecoyHome | null;
  readonly world: World;
  readonly installed: { readonly folder: string; readonly programs: readonly string[] };
  readonly installProblems: readonly string[];
  readonly registryHosts: readonly string[];
  readonly start: Analysis['start'];
  readonly launch: Launch | null;
  readonly handshake: Handshake | null;
  readonly listing: Listing | null;
  readonly listings: Analysis['listings'];
  /** Listings that differ from the first. */
  readonly otherListings: readonly Listing[];
  readonly differences: readonly ListingDifferences[];
  readonly variants: readonly VariantSpan[];
  readonly tools: readonly ToolSession[];
  /** Honest calls of second sessions. */
  readonly otherCalls: readonly { readonly tool: string; readonly call: HonestCall }[];
  readonly resourceCalls: ResourceSession['calls'];
  readonly made: readonly MadeTrial[];
  readonly proven: readonly ProvenTrial[];
  readonly notTried: readonly NotTried[];
  readonly crashes: readonly Crash[];
  readonly counts: Readonly<PeerCounts> | null;
  /** Findings of checks that are no trials. */
  readonly findings: readonly Finding[];
  readonly missing: readonly string[];
  readonly phases: readonly string[];
  readonly completeness: CompletenessReport;
}
