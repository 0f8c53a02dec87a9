import type { Bom, Component, Ecosystem } from '../sbom/index.ts';
import type { Match } from './match.ts';

/** Where advisories come from: each source is one definition, and each answers for itself whether it could. */

export interface Question {
  readonly components: readonly Component[];
  readonly bom: Bom;
  readonly now: Date;
}

export interface SourceAnswer {
  readonly source: string;
  readonly title: string;
  /** False: it was not asked or did not answer, and `because` says why. */
  readonly isReachable: boolean;
  readonly because: string | undefined;
  /** When what it knows was last brought up to date; undefined when it does not say. */
  readonly dataAt: string | undefined;
  /** Old knowledge is told, and does not count as an answer. */
  readonly isFresh: boolean;
  /** Ecosystems for which it is meant to know every advisory. A list of selected ones covers none. */
  readonly covers: readonly Ecosystem[];
  readonly matches: readonly Match[];
  /** Purls it was asked about and could not answer for. */
  readonly unanswered: readonly string[];
}

export interface AdvisorySource {
  readonly id: string;
  readonly title: string;
  readonly ask: (question: Question) => Promise<SourceAnswer>;
}

export function unreachable(source: Pick<AdvisorySource, 'id' | 'title'>, because: string): SourceAnswer {
  return {
    source: source.id,
    title: source.title,
    isReachable: false,
    because,
    dataAt: undefined,
    isFresh: false,
    covers: [],
    matches: [],
    unanswered: [],
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** A date in the future is a broken clock or a lie; neither is fresh. */
export function isFreshAt(dataAt: string | undefined, now: Date, mostDays: number): boolean {
  const age = dataAt === undefined ? Number.NaN : now.getTime() - Date.parse(dataAt);
  return age >= -dayMs && age <= mostDays * dayMs;
}
