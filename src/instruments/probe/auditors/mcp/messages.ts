import { asArray, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { kibibyte } from '../../../../base/limits.ts';
import { idText } from '../../../../targets/conversation/message.ts';
import { SseReader } from '../../../../targets/conversation/sse-reader.ts';
import { mediaTypeOf } from '../client/index.ts';
import type { AuditAnswer } from '../contract.ts';

/** Messages of JSON-RPC out of an answer, which is JSON or a stream of events, and may be neither. */

const mostEvents = 200;
const mostMessages = 200;
const frameBytes = 512 * kibibyte;

export interface SseEvent {
  readonly name: string;
  readonly data: string;
}

export function eventsOf({ body }: AuditAnswer): readonly SseEvent[] {
  const events: SseEvent[] = [];
  const reader = new SseReader(
    {
      event: (name, data) => {
        if (events.length < mostEvents) events.push({ name, data: data.toString('utf8') });
      },
      cut: () => undefined,
    },
    frameBytes,
  );
  reader.push(body);
  reader.end();
  return events;
}

export function isStream(answer: AuditAnswer): boolean {
  return mediaTypeOf(answer) === 'text/event-stream';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function messagesOf(answer: AuditAnswer): readonly JsonObject[] {
  const values = isStream(answer)
    ? eventsOf(answer).map(({ data }) => parsed(data))
    : answer.isCut
      ? []
      : [parsed(answer.body.toString('utf8'))];
  return values
    .flatMap((value) => (Array.isArray(value) ? asArray(value).slice(0, mostMessages) : [value]))
    .filter(isObject)
    .slice(0, mostMessages);
}

/** The message that answers this id. Errors may come without one, since a server may not have read so far. */
export function replyTo(messages: readonly JsonObject[], id: string): JsonObject | undefined {
  const answers = messages.filter((each) => isObject(each.result) || isObject(each.error));
  return (
    answers.find((each) => idText(each.id) === id) ??
    answers.find((each) => isObject(each.error) && (each.id === null || each.id === undefined))
  );
}
