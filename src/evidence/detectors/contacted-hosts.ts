import type { Event } from '../../base/event-schema.ts';
import { contactsOf } from './hosts.ts';

const mostHosts = 2000;

/** Names of all hosts that a run had to do with, in the order of their first time. */
export async function contactedHosts(events: AsyncIterable<Event> | Iterable<Event>): Promise<readonly string[]> {
  const hosts = new Set<string>();
  for await (const event of events) {
    for (const { host, isBare } of contactsOf(event)) if (!isBare && hosts.size < mostHosts) hosts.add(host);
  }
  return [...hosts];
}
