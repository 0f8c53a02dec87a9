import type { Event } from '../../../base/event-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import { rawText } from '../../../evidence/detectors/event-fields.ts';
import type { MessageFaults } from './contract.ts';

/** What is wrong with the messages of a target, whoever they were for. */

const mostKept = 4;
const largeBytes = 5 * mebibyte;
/** A log line is noise; this was meant to be an answer. */
const looksLikeMessage = /"jsonrpc"|^\s*\{\s*"(?:id|result|error|method)"/;

function sizeOf({ fields }: Event): number {
  return typeof fields.sizeBytes === 'number' ? fields.sizeBytes : 0;
}

export async function gatherMessageFaults(events: AsyncIterable<Event> | Iterable<Event>): Promise<MessageFaults> {
  const broken: Event[] = [];
  const large: Event[] = [];
  let brokenCount = 0;
  let window = { key: '', count: 0, bytes: 0, first: null as Event | null };
  let flood: MessageFaults['flood'] = null;
  for await (const event of events) {
    const { kind, fields } = event;
    if (kind !== 'message' || fields.direction !== 'from-target') continue;
    const size = sizeOf(event);
    if (size > largeBytes && large.length < mostKept) large.push(event);
    else if (fields.isJson === false && looksLikeMessage.test(rawText(fields.content) ?? '')) {
      brokenCount += 1;
      if (broken.length < mostKept) broken.push(event);
    }
    const key = `${event.phase} ${event.call ?? ''}`;
    if (window.key !== key) window = { key, count: 0, bytes: 0, first: event };
    window.count += 1;
    window.bytes += size;
    if (flood === null || window.count > flood.count)
      flood = { count: window.count, bytes: window.bytes, first: window.first ?? event };
  }
  return { broken, brokenCount, large, flood };
}
