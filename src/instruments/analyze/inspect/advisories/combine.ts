import { severities } from '../../../../base/finding-schema.ts';
import { idsOf } from './advisory.ts';
import type { Match } from './match.ts';

/** One vulnerability that several sources know, under any of its names, is one. */

export interface CombinedMatch extends Match {
  readonly ids: readonly string[];
  readonly sources: readonly string[];
}

function better(left: Match, right: Match): Match {
  if (left.answer !== right.answer) return left.answer === 'yes' ? left : right;
  const rank = (match: Match): number =>
    match.advisory.severity === undefined ? -1 : severities.indexOf(match.advisory.severity);
  return rank(right) > rank(left) ? right : left;
}

function combineGroup(matches: readonly Match[]): readonly CombinedMatch[] {
  const groups: { match: Match; ids: Set<string>; sources: Set<string>; fixed: string | undefined }[] = [];
  for (const match of matches) {
    const ids = idsOf(match.advisory);
    const same = groups.filter((group) => ids.some((id) => group.ids.has(id)));
    const [first] = same;
    if (first === undefined) {
      groups.push({ match, ids: new Set(ids), sources: new Set([match.source]), fixed: match.fixed });
      continue;
    }
    // Two groups that this one shows to be the same are joined.
    for (const other of same.slice(1)) {
      for (const id of other.ids) first.ids.add(id);
      for (const name of other.sources) first.sources.add(name);
      first.match = better(first.match, other.match);
      first.fixed ??= other.fixed;
      groups.splice(groups.indexOf(other), 1);
    }
    for (const id of ids) first.ids.add(id);
    first.sources.add(match.source);
    first.fixed ??= match.fixed;
    first.match = better(first.match, match);
  }
  return groups.map(({ match, ids, sources, fixed }) => ({
    ...match,
    fixed,
    ids: [...ids].sort(),
    sources: [...sources].sort(),
  }));
}

export function combineMatches(matches: readonly Match[]): readonly CombinedMatch[] {
  const byComponent = Map.groupBy(matches, ({ component }) => component.purl);
  return [...byComponent.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, group]) => combineGroup(group))
    .sort((left, right) => (left.component.purl + left.ids[0] < right.component.purl + right.ids[0] ? -1 : 1));
}
