import type { Report } from '../../../base/report-schema.ts';
import type { Baseline } from '../../../evidence/baseline.ts';
import type { IngestContext } from '../../../targets/ingest/contract.ts';
import type { AdvisorySource } from '../inspect/advisories/index.ts';

export interface ScanContext extends IngestContext {
  readonly now: Date;
  readonly toolVersion: string;
  readonly sources: readonly AdvisorySource[];
  readonly baseline: Baseline;
  /** Dependencies of a target without a lock file are looked up in the registries. */
  readonly resolvesDependencies: boolean;
  /** Told what is being done, for people who wait. */
  readonly onProgress: (what: string) => void;
}

export interface Scanned {
  readonly report: Report;
  /** One per subject. */
  readonly boms: readonly (object | null)[];
}
