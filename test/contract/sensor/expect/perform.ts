import type { Event } from '../../../../src/base/event-schema.ts';
import type { Json, Programme } from './expectation.ts';

/** The account of a sensor that sees everything: every process one after the other, each with its marker first. */
export function perform(programme: Programme, pidOf: (role: string) => number): readonly Event[] {
  const { scratch, parents, expectations } = programme;
  const hasMarker = (role: string): boolean =>
    expectations.some((each) => each.role === role && JSON.stringify(each.fields).includes(`"role-${role}"`));
  const sightings = Object.entries(parents).flatMap(([role, parent]) => {
    const process = {
      pid: pidOf(role),
      parent: parent === null ? 1 : pidOf(parent),
      name: { text: 'program' },
    };
    const marker: Json = { text: `${scratch}/role-${role}` };
    return [
      ...(hasMarker(role) ? [] : [{ process, kind: 'open' as const, fields: { path: marker } }]),
      ...expectations
        .filter((each) => each.role === role)
        .map(({ kind, fields }) => ({
          process,
          kind,
          fields: Object.fromEntries(Object.entries(fields).map(([name, [first]]) => [name, first ?? null])),
        })),
    ];
  });
  return sightings.map((sighting, seq) => ({
    seq,
    at: { monotonicNs: String(seq), wall: new Date(seq).toISOString() },
    run: 'perfect',
    phase: 'use',
    source: 'perfect',
    ...sighting,
  }));
}
