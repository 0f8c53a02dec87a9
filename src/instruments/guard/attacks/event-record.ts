import type { Event } from '../../../base/event-schema.ts';

const mostEvents = 200_000;

/** The events of one run, as they come. */
export class EventRecord {
  readonly #events: Event[] = [];

  readonly add = (events: readonly Event[]): void => {
    for (const event of events) if (this.#events.length < mostEvents) this.#events.push(event);
  };

  get events(): readonly Event[] {
    return this.#events;
  }
}
