import type { Severity } from '../../../../base/finding-schema.ts';

/** An advisory in one form, whatever source it came from. The names of ecosystems are those of OSV. */

export interface AffectedRange {
  readonly type: 'SEMVER' | 'ECOSYSTEM' | 'GIT';
  readonly events: readonly RangeEvent[];
}

/** One of the four; `introduced: "0"` is before everything. */
export interface RangeEvent {
  readonly introduced?: string;
  readonly fixed?: string;
  readonly lastAffected?: string;
  readonly limit?: string;
}

export interface Affected {
  readonly ecosystem: string;
  readonly name: string;
  readonly ranges: readonly AffectedRange[];
  readonly versions: readonly string[];
}

export type AdvisoryKind = 'vulnerability' | 'malicious' | 'unmaintained';

export interface Advisory {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly kind: AdvisoryKind;
  readonly summary: string;
  readonly severity: Severity | undefined;
  /** Base score, where one is given or follows from a vector. */
  readonly score: number | undefined;
  readonly cwe: readonly string[];
  readonly affected: readonly Affected[];
  readonly withdrawn: string | undefined;
  readonly modified: string | undefined;
  readonly references: readonly string[];
  /** Who says so and how sure that is. */
  readonly provenance: string;
}

/** The ids that name the same advisory: its own and those of the same thing elsewhere. */
export function idsOf(advisory: Pick<Advisory, 'id' | 'aliases'>): readonly string[] {
  return [...new Set([advisory.id, ...advisory.aliases])];
}
