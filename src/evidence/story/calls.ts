import type { Analysis } from '../../base/analysis-schema.ts';
import type { Event, UntrustedJson } from '../../base/event-schema.ts';
import { recordOf, textOf } from '../../engine/sensor/history/index.ts';
import { most } from './facts.ts';
import { shorten, untrustedOf } from './texts.ts';

type Call = Analysis['calls'][number];

const longestName = 256;
const longestId = 256;
/** A target that never answers leaves calls open; more than this many at once are not kept. */
const mostOpen = 256;

/** What a message says, where it is whole and says anything. */
function contentOf({ fields }: Event): Readonly<Record<string, unknown>> {
  const { text, droppedBytes } = recordOf(fields.content);
  if (typeof text !== 'string' || droppedBytes !== undefined) return {};
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Several calls may be in flight; the one that a message begins is the last of them. */
function callIdOf({ call, fields }: Event, method: string): string {
  const own = `${textOf(fields.id) ?? ''}:`;
  const named = (call ?? '').split(' ').findLast((each) => each.startsWith(own));
  return (named ?? `${own}${method}`).slice(0, longestId);
}

function kindOf(phase: Call['phase'], method: string): Call['kind'] {
  if (method !== 'tools/call') return 'other';
  return phase === 'attack' ? 'trial' : phase === 'use' ? 'honest' : 'other';
}

/** What is called: the tool, the prompt, the resource; otherwise the method itself. */
function nameOf(method: UntrustedJson, event: Event): UntrustedJson {
  const { name, uri } = recordOf(contentOf(event).params);
  return untrustedOf(name ?? uri, longestName) ?? shorten(method, longestName);
}

/** A cut answer was an answer; what it said at its end is not known. */
function outcomeOf(event: Event): string {
  const { error, result } = contentOf(event);
  if (error !== undefined) return 'rpc-error';
  return recordOf(result).isError === true ? 'tool-error' : 'answered';
}

/** The calls of a run, from the messages that the tap saw: a request opens one, the answer with its id ends it. */
export class CallSpans {
  readonly #calls: Call[] = [];
  /** Places in the list, by the id that the answer will have. */
  readonly #open = new Map<string, number>();
  leftOut = 0;

  see(event: Event, ms: number): void {
    const { kind, fields } = event;
    if (kind !== 'message' || fields.id === undefined) return;
    const key = JSON.stringify(fields.id);
    const method = untrustedOf(fields.method, longestName);
    if (fields.direction === 'to-target' && method !== null) this.#begin(event, key, method, ms);
    else if (fields.direction === 'from-target' && method === null) this.#finish(event, key, ms);
  }

  #begin(event: Event, key: string, method: UntrustedJson, ms: number): void {
    // Another conversation counts from the start again: what the one before it left open stays without an answer.
    this.#settle(key, ms, 'unanswered');
    if (this.#calls.length >= most.calls || this.#open.size >= mostOpen) {
      this.leftOut += 1;
      return;
    }
    const name = textOf(method) ?? '';
    this.#open.set(key, this.#calls.length);
    this.#calls.push({
      id: callIdOf(event, name),
      kind: kindOf(event.phase, name),
      phase: event.phase,
      tool: nameOf(method, event),
      fromMs: ms,
      toMs: ms,
      outcome: 'unanswered',
    });
  }

  #finish(event: Event, key: string, ms: number): void {
    if (this.#open.has(key)) this.#settle(key, ms, outcomeOf(event));
  }

  #settle(key: string, ms: number, outcome: string): void {
    const at = this.#open.get(key);
    const call = at === undefined ? undefined : this.#calls[at];
    this.#open.delete(key);
    if (at === undefined || call === undefined) return;
    this.#calls[at] = { ...call, toMs: Math.max(call.fromMs, ms), outcome };
  }

  end(lastMs: number): Analysis['calls'] {
    for (const key of [...this.#open.keys()]) this.#settle(key, lastMs, 'unanswered');
    return this.#calls;
  }
}
