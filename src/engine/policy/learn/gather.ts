import { posix } from 'node:path';
import type { Event, Phase } from '../../../base/event-schema.ts';
import { type Need, needOf } from './observation.ts';

/** All needs of a run, each with the events that show it. Attacks are left out: what they reach is not what is needed. */

export interface Seen {
  readonly events: readonly number[];
  readonly calls: readonly string[];
  readonly count: number;
}

export interface Needs {
  readonly reads: ReadonlyMap<string, Seen>;
  readonly writes: ReadonlyMap<string, Seen>;
  readonly programs: ReadonlyMap<string, Seen>;
  /** By `host port`. */
  readonly hosts: ReadonlyMap<string, Seen>;
  readonly decoys: ReadonlyMap<string, Seen>;
}

const learntPhases: readonly Phase[] = ['start', 'handshake', 'list', 'use', 'stop'];
const mostKept = 5;
const mostPaths = 20_000;

type Table = Map<string, { events: number[]; calls: Set<string>; count: number }>;

function add(table: Table, key: string, { seq, call }: Event): void {
  const known = table.get(key);
  if (known === undefined && table.size >= mostPaths) return;
  const seen = known ?? { events: [], calls: new Set<string>(), count: 0 };
  seen.count += 1;
  if (seen.events.length < mostKept) seen.events.push(seq);
  if (call !== undefined && seen.calls.size < mostKept) seen.calls.add(call);
  table.set(key, seen);
}

function finish(table: Table): ReadonlyMap<string, Seen> {
  return new Map([...table].map(([key, { events, calls, count }]) => [key, { events, calls: [...calls], count }]));
}

export async function gatherNeeds(events: AsyncIterable<Event> | Iterable<Event>): Promise<Needs> {
  const tables = { reads: new Map(), writes: new Map(), programs: new Map(), hosts: new Map(), decoys: new Map() } as {
    readonly [Name in keyof Needs]: Table;
  };
  const place = (need: Need, event: Event): void => {
    if (need.kind === 'file')
      add(need.access === 'read' ? tables.reads : tables.writes, posix.normalize(need.path), event);
    else if (need.kind === 'program') add(tables.programs, posix.normalize(need.path), event);
    else add(tables.hosts, `${need.host} ${need.port}`, event);
  };
  for await (const event of events) {
    if (!learntPhases.includes(event.phase)) continue;
    if (event.kind === 'bait-read') add(tables.decoys, String(event.fields.decoy), event);
    const need = needOf(event);
    if (need !== null) place(need, event);
  }
  return {
    reads: finish(tables.reads),
    writes: finish(tables.writes),
    programs: finish(tables.programs),
    hosts: finish(tables.hosts),
    decoys: finish(tables.decoys),
  };
}
