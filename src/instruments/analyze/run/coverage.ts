import type { Coverage } from '../../../base/verdict-schema.ts';
import { type Knowledge, positionsOf } from '../interrogate/arguments/index.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';

/** How much of a target was really looked at. */

const mostMissing = 40;

export function coverageOf(detonated: Detonated, knowledge: Knowledge): Coverage {
  const { listing, tools, made, phases, missing, completeness } = detonated;
  const untried = completeness.search?.untriedGuesses ?? 0;
  const unread =
    untried === 0 ? [] : [`${untried} pieces of traffic that might be compressed without a mark were not unpacked`];
  const all = (listing?.tools ?? []).reduce((sum, tool) => sum + positionsOf(tool, knowledge).length, 0);
  const tried = new Set(made.map(({ trial }) => `${trial.tool}\n${trial.position.pointer}`)).size;
  const exercised = tools.filter(({ honest }) => honest.some(({ result }) => result.outcome === 'answered')).length;
  return {
    tools: { exercised, all: listing?.tools.length ?? 0 },
    parameters: { tried: Math.min(tried, all), all },
    phases: [...phases],
    missing: [...missing, ...unread].slice(0, mostMissing),
  };
}

/** What was not tried, counted by class and reason. */
export function notTriedOf({ notTried }: Detonated) {
  const groups = Map.groupBy(notTried, ({ class: kind, reason }) => `${kind}\n${reason}`);
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [{ what: first.class, reason: first.reason, count: group.length }];
    })
    .slice(0, 300);
}
