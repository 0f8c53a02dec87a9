import type { Event } from '../../../base/event-schema.ts';
import { EventFile } from '../../../engine/sensor/history/index.ts';

/** The events of a run, from the beginning; may be read as often as needed. */
export async function* eventsOf(folder: string): AsyncGenerator<Event> {
  const file = await EventFile.open(folder);
  try {
    for await (const batch of file.batches()) for (const { event } of batch) yield event;
  } finally {
    await file.close();
  }
}

/** Those with these positions, for proofs. */
export async function eventsAt(folder: string, positions: ReadonlySet<number>): Promise<ReadonlyMap<number, Event>> {
  const found = new Map<number, Event>();
  if (positions.size === 0) return found;
  for await (const event of eventsOf(folder)) if (positions.has(event.seq)) found.set(event.seq, event);
  return found;
}
