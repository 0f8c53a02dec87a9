import type { Affected, AffectedRange, RangeEvent } from './advisory.ts';
import { type Compare, comparerOf } from './versions.ts';

/**
 * Whether a version is affected, by the rules of the OSV schema: it stands in `versions`, or in one of the ranges.
 * Within a range the events are points on a line; walking it in order, `introduced` switches on, `fixed` and the place
 * behind `last_affected` switch off. `limit` bounds the whole of it.
 */
export type Answer = 'yes' | 'no' | 'unknown';

type Side = 'introduced' | 'fixed' | 'lastAffected';

interface Point {
  readonly version: string;
  readonly side: Side;
}

const sides: readonly Side[] = ['introduced', 'fixed', 'lastAffected'];

function pointsOf(events: readonly RangeEvent[]): readonly Point[] {
  return events.flatMap((event) =>
    sides.flatMap((side) => {
      const version = event[side];
      return version === undefined ? [] : [{ version, side }];
    }),
  );
}

/** Only as the beginning is `0` more than a version: it stands before every one, pre-releases of 0 included. */
const isStart = ({ version, side }: Point): boolean => side === 'introduced' && version === '0';

/** At one version: what ends there ends before what begins there, and the last affected one is still affected. */
const order: Readonly<Record<Side, number>> = { fixed: 0, introduced: 1, lastAffected: 2 };

function comparePoints(compare: Compare, left: Point, right: Point): number | undefined {
  if (isStart(left) || isStart(right)) return Number(isStart(right)) - Number(isStart(left));
  const compared = compare(left.version, right.version);
  return compared === undefined ? undefined : compared || order[left.side] - order[right.side];
}

function isInRange(compare: Compare, range: AffectedRange, version: string): Answer {
  const limits = range.events.flatMap(({ limit }) => (limit === undefined || limit === '*' ? [] : [limit]));
  const againstLimits = limits.map((limit) => compare(version, limit));
  if (againstLimits.includes(undefined)) return 'unknown';
  if (limits.length > 0 && againstLimits.every((compared) => (compared ?? 0) >= 0)) return 'no';
  const points = pointsOf(range.events);
  // What compares with one version compares with every other.
  const isForeign = points.some((point) => !isStart(point) && compare(version, point.version) === undefined);
  if (isForeign || compare(version, version) === undefined) return 'unknown';
  let isAffected = false;
  for (const point of [...points].sort((left, right) => comparePoints(compare, left, right) ?? 0)) {
    const { side } = point;
    const compared = isStart(point) ? 1 : (compare(version, point.version) ?? 0);
    if (side === 'introduced' && compared >= 0) isAffected = true;
    if (side === 'fixed' && compared >= 0) isAffected = false;
    if (side === 'lastAffected' && compared > 0) isAffected = false;
  }
  return isAffected ? 'yes' : 'no';
}

export function isAffected(affected: Affected, version: string): Answer {
  const compare = comparerOf(affected.ecosystem);
  if (affected.versions.some((listed) => listed === version || compare(listed, version) === 0)) return 'yes';
  // A range of git commits says nothing about a version, and stands beside one that does.
  const ranges = affected.ranges.filter(({ type }) => type !== 'GIT');
  const answers = ranges.map((range) => isInRange(compare, range, version));
  if (answers.includes('yes')) return 'yes';
  if (answers.includes('unknown')) return 'unknown';
  return ranges.length === 0 && affected.versions.length === 0 ? 'unknown' : 'no';
}

/** The lowest version above the given one in which it is mended. */
export function fixedVersion(affected: Affected, version: string): string | undefined {
  const compare = comparerOf(affected.ecosystem);
  const fixes = affected.ranges
    .filter(({ type }) => type !== 'GIT')
    .flatMap(({ events }) => events.flatMap(({ fixed }) => (fixed === undefined ? [] : [fixed])))
    .filter((fixed) => (compare(fixed, version) ?? 0) > 0);
  return fixes.sort((left, right) => compare(left, right) ?? 0)[0];
}
