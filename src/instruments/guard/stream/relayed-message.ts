import { asObject, isObject, type JsonObject } from '../../../base/json-shape.ts';
import type { Direction, Message, MessageKind } from '../contract.ts';
import type { Envelope } from './classify.ts';
import { parseExactly } from './exact-json.ts';

/** A message on its way. Its value is made when the first rule asks for it: most of a large result nobody has to read. */
export class RelayedMessage implements Message {
  readonly direction: Direction;
  readonly kind: MessageKind;
  readonly method: string | null;
  readonly id: string | number | null;
  readonly rawId: string | null;
  readonly bytes: Buffer;
  readonly request: Message | null;
  readonly #hasLongNumber: boolean;
  #value: JsonObject | null = null;

  constructor(direction: Direction, envelope: Envelope, request: Message | null) {
    this.direction = direction;
    this.kind = envelope.kind;
    this.method = envelope.kind === 'response' ? (request?.method ?? null) : envelope.method;
    this.id = envelope.id;
    this.rawId = envelope.rawId;
    this.bytes = envelope.bytes;
    this.request = request;
    this.#hasLongNumber = envelope.hasLongNumber;
  }

  get value(): JsonObject {
    if (this.#value === null) {
      const text = this.bytes.toString('utf8');
      this.#value = asObject(this.#hasLongNumber ? parseExactly(text) : JSON.parse(text));
    }
    return this.#value;
  }

  /** The same message with another content. Its id stays as it was written. */
  with(value: JsonObject): RelayedMessage {
    const { id: _id, ...rest } = value;
    const body = JSON.stringify(rest);
    const bytes = Buffer.from(
      this.rawId === null ? body : `{"id":${this.rawId}${body === '{}' ? '}' : `,${body.slice(1)}`}`,
    );
    const { kind, method, id, rawId } = this;
    const changed = new RelayedMessage(
      this.direction,
      { is: 'message', kind, method, id, rawId, hasLongNumber: this.#hasLongNumber, doubts: [], bytes },
      this.request,
    );
    changed.#value = value;
    return changed;
  }
}

const keptParameters = ['name', 'uri', 'cursor', 'taskId'] as const;
const longestKept = 4096;

/** What is remembered of a request until its answer comes: thousands may be open, and each may be large. */
export function remembered(message: RelayedMessage): Message {
  const { direction, kind, method, id } = message;
  const params = asObject(message.value.params);
  const kept = keptParameters.flatMap((key): [string, string][] => {
    const text = params[key];
    return typeof text === 'string' && text.length <= longestKept ? [[key, text]] : [];
  });
  const value = { jsonrpc: '2.0', id, method, params: Object.fromEntries(kept) };
  return { direction, kind, method, id, value, bytes: Buffer.alloc(0), request: null };
}

/** The tool, prompt or resource that a request is about, as it names it. */
export function subjectOf(message: Message): string {
  const { params } = message.value;
  if (!isObject(params)) return '';
  const name = params.name ?? params.uri ?? '';
  return typeof name === 'string' ? name : '';
}
