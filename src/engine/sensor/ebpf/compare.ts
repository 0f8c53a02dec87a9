import type { Sighting } from '../contract.ts';

/** Whether two witnesses of one box tell the same story: how often what matters happened, by each of them. */

export const comparedDeeds = ['exec', 'exit', 'connect', 'unlink'] as const;
export type ComparedDeed = (typeof comparedDeeds)[number];

export interface DeedCount {
  /** That happened for sure. */
  readonly sure: number;
  /** Of which the witness cannot say whether they did. */
  readonly unsure: number;
}

export type DeedCounts = Readonly<Record<ComparedDeed, DeedCount>>;

/** In the words of people. */
const plurals: Readonly<Record<ComparedDeed, string>> = {
  exec: 'programs started',
  exit: 'processes ended',
  connect: 'connections tried',
  unlink: 'removals tried',
};

export class DeedTally {
  readonly #counts = new Map<ComparedDeed, { sure: number; unsure: number }>(
    comparedDeeds.map((deed) => [deed, { sure: 0, unsure: 0 }]),
  );

  note({ kind, outcome }: Pick<Sighting, 'kind' | 'outcome'>): void {
    const count = this.#counts.get(kind as ComparedDeed);
    if (count === undefined) return;
    // Of programs only those count that were started; of all else, that it was tried.
    if (kind !== 'exec' || outcome === 'ok') count.sure += 1;
    else if (outcome === undefined || outcome === 'unknown') count.unsure += 1;
  }

  get counts(): DeedCounts {
    return Object.fromEntries([...this.#counts].map(([deed, count]) => [deed, { ...count }])) as DeedCounts;
  }
}

function say({ sure, unsure }: DeedCount): string {
  return unsure === 0 ? String(sure) : `${sure} to ${sure + unsure}`;
}

/** What the two do not agree on, for people; nothing when they do. */
export function compareWitnesses(first: DeedCounts, second: DeedCounts): readonly string[] {
  return comparedDeeds.flatMap((deed) => {
    const [one, other] = [first[deed], second[deed]];
    const doAgree = one.sure <= other.sure + other.unsure && other.sure <= one.sure + one.unsure;
    return doAgree ? [] : [`${plurals[deed]}: ${say(one)} by the sensor, ${say(other)} by the witness`];
  });
}
