import type { Event, EventKind, Phase } from '../../../base/event-schema.ts';
import {
  AddressBook,
  EventFile,
  type EventFilter,
  firstText,
  isWanted,
  listOf,
  peerOf,
  recordOf,
} from '../../../engine/sensor/history/index.ts';
import { readCursor, sizeOf } from '../page.ts';
import { type VisibleRecord, visible } from '../visible.ts';

/** Events of a log by what is asked for, a page at a time. A cursor is the position of the next event. */

export interface EventQuery {
  readonly kind: readonly EventKind[];
  readonly phase: readonly Phase[];
  readonly call: readonly string[];
  readonly process: readonly number[];
  readonly host?: string | undefined;
  readonly path?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface FoundEvents {
  readonly events: readonly VisibleRecord[];
  readonly cursor: string | null;
  readonly isLogWhole: boolean;
}

const hostFields = ['host', 'serverName', 'name', 'url'];

function isAbout(event: Event, host: string, book: AddressBook): boolean {
  const { fields } = event;
  const question = recordOf(listOf(fields.questions)[0]);
  const texts = [peerOf(event, book)?.shown, peerOf(event, book)?.address];
  const named = hostFields.flatMap((field) => [firstText(fields, [field]), firstText(question, [field])]);
  return [...texts, ...named].some((text) => text?.toLowerCase().includes(host) === true);
}

export async function findEvents(
  folder: string,
  query: EventQuery,
  mostBytes: number,
  signal: AbortSignal,
): Promise<FoundEvents> {
  const filter: EventFilter = {
    kinds: query.kind,
    phases: query.phase,
    calls: query.call,
    pids: query.process,
    ...(query.path === undefined ? {} : { path: query.path }),
  };
  const from = readCursor(query.cursor);
  const host = query.host?.toLowerCase();
  const book = new AddressBook();
  const events: VisibleRecord[] = [];
  let size = 0;
  await using file = await EventFile.open(folder);
  for await (const batch of file.batches()) {
    signal.throwIfAborted();
    for (const { event } of batch) {
      if (host !== undefined) book.learn(event);
      if (event.seq < from || !isWanted(event, filter)) continue;
      if (host !== undefined && !isAbout(event, host, book)) continue;
      const shown = visible(event, 1000);
      size += sizeOf(shown) + 1;
      const isFull = events.length >= query.limit || (events.length > 0 && size > mostBytes);
      if (isFull) return { events, cursor: String(event.seq), isLogWhole: true };
      events.push(shown);
    }
  }
  return { events, cursor: null, isLogWhole: !file.hasOpenEnd };
}
