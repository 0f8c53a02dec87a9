import type { Outcome } from '../../../base/outcome.ts';
import type { BackendId, CheckResult, LimitInForce } from '../../../engine/box/contract.ts';
import type { Gap } from '../../../engine/policy/gap.ts';

/** What doctor found, as data. The JSON document and the text are both made from this. */

export type State = 'works' | 'missing' | 'failed' | 'not applicable';

export interface Answer {
  readonly state: State;
  readonly summary: string;
  /** What would mend it. */
  readonly mend?: string;
}

export interface ProbeReport extends Answer {
  readonly id: string;
  readonly title: string;
  readonly usedFor: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface BackendReport extends Answer {
  readonly id: BackendId;
  readonly title: string;
  readonly strength: number;
  readonly version: string | null;
  readonly notes: readonly string[];
  readonly selfCheck: readonly CheckResult[];
  readonly limitsInForce: readonly LimitInForce[];
  readonly gaps: readonly Gap[];
  readonly tookMs: number;
}

export interface ToolReport {
  readonly id: string;
  readonly package: string;
  readonly usedFor: string;
  readonly path: string | null;
  readonly isFixed: boolean;
}

export interface CleanReport {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
}

export interface FixReport {
  readonly commands: readonly string[];
  readonly installed: readonly string[];
  /** Packages that no package source of this machine has. */
  readonly unknown: readonly string[];
  /** Why nothing was installed. */
  readonly because?: string;
}

export interface DoctorReport {
  readonly version: string;
  readonly clean?: CleanReport;
  readonly fix?: FixReport;
  readonly kernel: readonly ProbeReport[];
  readonly backends: readonly BackendReport[];
  readonly tools: readonly ToolReport[];
  /** What `auto` takes: the strongest that works; null where none does. */
  readonly auto: BackendId | null;
}

export function toAnswer<T>(outcome: Outcome<T>, describe: (value: T) => string): Answer {
  switch (outcome.is) {
    case 'yes':
      return { state: 'works', summary: describe(outcome.value) };
    case 'no':
      return { state: 'missing', summary: 'no' };
    case 'not-applicable':
      return { state: 'not applicable', summary: 'does not apply to this machine' };
    case 'not-available':
      return {
        state: 'missing',
        summary: outcome.because,
        ...(outcome.mend === undefined ? {} : { mend: outcome.mend }),
      };
    case 'error':
      return {
        state: 'failed',
        summary: outcome.error.message,
        ...(outcome.error.hint === undefined ? {} : { mend: outcome.error.hint }),
      };
  }
}
