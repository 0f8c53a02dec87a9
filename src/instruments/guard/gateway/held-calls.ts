import { randomBytes } from 'node:crypto';
import { asObject, asString, type JsonObject } from '../../../base/json-shape.ts';
import { labelled } from './client-asks.ts';
import type { GatewayLimits } from './limits.ts';
import { codes, type RequestId, RpcError } from './rpc.ts';
import type { ServerLink } from './server-link.ts';

/**
 * An older server may ask in the middle of a call; a newer client is never asked, it is told what is missing and calls
 * again. So the server's call stays open, and the client's second call takes it up where the first one left it.
 */

/** What older servers ask that a newer client can be told. */
const askable: readonly string[] = ['elicitation/create', 'sampling/createMessage', 'roots/list'];
const inputKey = 'input';

interface Question {
  readonly method: string;
  readonly params: JsonObject;
  readonly answer: (outcome: { readonly result: unknown } | { readonly error: unknown }) => void;
}

interface OpenCall {
  readonly link: ServerLink;
  readonly method: string;
  readonly target: string;
  readonly done: Promise<JsonObject>;
  /** The next question of the server, if it comes before the answer. */
  question: PromiseWithResolvers<Question>;
  readonly stop: AbortController;
}

export class HeldCalls {
  readonly #limits: GatewayLimits;
  /** Calls that a client is waiting for, the oldest first. */
  readonly #open = new Set<OpenCall>();
  readonly #held = new Map<
    string,
    { readonly call: OpenCall; readonly question: Question; readonly timer: NodeJS.Timeout }
  >();

  constructor(limits: GatewayLimits) {
    this.#limits = limits;
  }

  /** Begins a call. `send` must not end with the client's interest: somebody may come back for it. */
  begin(
    link: ServerLink,
    method: string,
    target: string,
    signal: AbortSignal,
    send: (signal: AbortSignal) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const stop = new AbortController();
    const { promise: done, resolve, reject } = Promise.withResolvers<JsonObject>();
    done.catch(() => {});
    const result = this.#wait({ link, method, target, done, question: Promise.withResolvers(), stop }, signal);
    // Only now: what the server asks at once belongs to this call.
    send(stop.signal).then(resolve, reject);
    return result;
  }

  /** Takes up a call that was held. @throws RpcError where there is none like this. */
  resume(
    link: ServerLink,
    method: string,
    target: string,
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const state = asString(params.requestState) ?? '';
    const held = this.#held.get(state);
    if (held === undefined || held.call.link !== link || held.call.method !== method || held.call.target !== target) {
      throw new RpcError(codes.invalidParams, 'the request state is not known');
    }
    this.#held.delete(state);
    clearTimeout(held.timer);
    const response = asObject(params.inputResponses)[inputKey];
    held.call.question = Promise.withResolvers();
    const result = this.#wait(held.call, signal);
    held.question.answer(
      response === undefined
        ? { error: { code: codes.internal, message: 'the client gave no answer' } }
        : { result: response },
    );
    return result;
  }

  /** False where no call of this server is open that the question could belong to. */
  ask(link: ServerLink, id: RequestId, method: string, params: JsonObject): boolean {
    const call = [...this.#open].find((one) => one.link === link);
    if (call === undefined || !askable.includes(method) || this.#held.size >= this.#limits.serverRequests) return false;
    this.#open.delete(call);
    call.question.resolve({
      method,
      params: { ...params, ...labelled(method, params, link) },
      answer: (outcome) => link.respond(id, outcome),
    });
    return true;
  }

  async #wait(call: OpenCall, signal: AbortSignal): Promise<JsonObject> {
    const cancel = (): void => call.stop.abort();
    signal.addEventListener('abort', cancel, { once: true });
    this.#open.add(call);
    try {
      const first = await Promise.race([
        call.done.then((result) => ({ result })),
        call.question.promise.then((question) => ({ question })),
      ]);
      return 'result' in first ? first.result : this.#hold(call, first.question);
    } finally {
      this.#open.delete(call);
      signal.removeEventListener('abort', cancel);
    }
  }

  #hold(call: OpenCall, question: Question): JsonObject {
    const state = randomBytes(16).toString('hex');
    const timer = setTimeout(() => {
      this.#held.delete(state);
      question.answer({ error: { code: codes.internal, message: 'the client did not come back in time' } });
      call.stop.abort();
    }, this.#limits.clientMs);
    timer.unref();
    this.#held.set(state, { call, question, timer });
    const { method, params } = question;
    return { resultType: 'input_required', inputRequests: { [inputKey]: { method, params } }, requestState: state };
  }

  close(): void {
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
  }
}
