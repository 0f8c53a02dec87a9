import type { Event } from '../../../../src/base/event-schema.ts';
import { canonicalJson } from '../../../../src/base/fingerprint.ts';
import { forTerminal, untrusted } from '../../../../src/base/untrusted.ts';
import type { BackendId } from '../../../../src/engine/box/contract.ts';
import { align } from './align.ts';
import type { Expectation, Facts, FieldSet, Programme } from './expectation.ts';
import { findRoles } from './roles.ts';
import { sightOf } from './sight.ts';

/** Compares what a sensor told with what a program is known to have done. */

/** Where the sensor counts processes as the program in the box does. */
const countsAlike: readonly BackendId[] = ['gvisor', 'landlock'];

function fieldsMatch(fields: Event['fields'], wanted: FieldSet, mayBeAbsent: boolean): boolean {
  return Object.entries(wanted).every(([name, values]) => {
    const value = fields[name];
    if (value === undefined) return mayBeAbsent;
    const text = canonicalJson(value);
    return values.some((each) => canonicalJson(each) === text);
  });
}

function show(value: unknown): string {
  return forTerminal(untrusted(JSON.stringify(value), 300));
}

function title({ number, what, role, kind }: Expectation): string {
  return `action ${number} (${what}; ${kind} by ${role})`;
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** The event that is most like the one that is missed, for whoever has to find out why. */
function nearest(expectation: Expectation, events: readonly Event[]): string {
  const wanted = Object.values(expectation.fields).map(([first]) => canonicalJson(first ?? null));
  const likeness = ({ fields }: Event): number =>
    Object.keys(expectation.fields).reduce(
      (sum, name, at) => sum + commonLength(wanted[at] ?? '', canonicalJson(fields[name] ?? null)),
      0,
    );
  const [best] = events
    .filter(({ kind }) => kind === expectation.kind)
    .map((event) => ({ event, score: likeness(event) }))
    .toSorted((one, other) => other.score - one.score);
  return best === undefined ? `no ${expectation.kind} at all` : `nearest is ${show(best.event.fields)}`;
}

function findMissingOfRole(
  role: string,
  pid: number,
  events: readonly Event[],
  programme: Programme,
  facts: Facts,
  parent: number | undefined,
): readonly string[] {
  const wanted = programme.expectations
    .filter((each) => each.role === role)
    .map((expectation) => ({ expectation, sight: sightOf(expectation, facts) }))
    .filter(({ sight }) => sight.is !== 'unseen');
  const own = events.filter(({ process }) => process?.pid === pid);
  const isMatch = (at: number, event: Event): boolean => {
    const { expectation, sight } = wanted[at] ?? {};
    if (expectation === undefined || expectation.kind !== event.kind) return false;
    return fieldsMatch(event.fields, expectation.fields, sight?.is === 'fields-unknown');
  };
  const matches = align(wanted.length, own.length, (at, place) => {
    const event = own[place];
    return event !== undefined && isMatch(at, event);
  });
  const taken = new Set(matches.values());
  return wanted.flatMap(({ expectation }, at) => {
    const place = matches.get(at);
    if (place !== undefined) {
      const found = own[place]?.process?.parent;
      if (parent === undefined || found === parent || expectation.isOrphaned) return [];
      return [`${title(expectation)}: its parent is ${parent}, not ${found}`];
    }
    if (own.some((event, where) => !taken.has(where) && isMatch(at, event))) {
      return [`${title(expectation)}: out of order within pid ${pid}`];
    }
    const elsewhere = events.find((event) => event.process?.pid !== pid && isMatch(at, event));
    if (elsewhere !== undefined) {
      return [`${title(expectation)}: told of pid ${elsewhere.process?.pid ?? 'nobody'}, not of ${pid}`];
    }
    return [`${title(expectation)}: missing; ${nearest(expectation, own)}`];
  });
}

/** Every way in which the events are not what the program did, for people. Nothing when all is well. */
export function findMissing(events: readonly Event[], programme: Programme, facts: Facts): readonly string[] {
  const { pids, misses } = findRoles(events, programme);
  const isCountedAlike = countsAlike.includes(facts.backend);
  const wrongPids = Object.entries(facts.pids ?? {}).flatMap(([role, inside]) => {
    const seen = pids.get(role);
    if (!isCountedAlike || seen === undefined || seen === inside) return [];
    return [`${role} is pid ${inside}, not ${seen}`];
  });
  const missing = Object.entries(programme.parents).flatMap(([role, parentRole]) => {
    const pid = pids.get(role);
    if (pid === undefined) return [];
    const parent = parentRole === null ? undefined : pids.get(parentRole);
    return findMissingOfRole(role, pid, events, programme, facts, parent);
  });
  return [...misses, ...wrongPids, ...missing];
}
