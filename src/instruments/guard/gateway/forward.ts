import { asObject, asString, entriesOf, type JsonObject } from '../../../base/json-shape.ts';
import type { ClientAsks } from './client-asks.ts';
import { labelUris } from './content-uris.ts';
import type { HeldCalls } from './held-calls.ts';
import { type Hello, paramsFor } from './hello.ts';
import type { GatewayLimits } from './limits.ts';
import { codes, type Reply, RpcError } from './rpc.ts';
import type { ServerLink } from './server-link.ts';

/** One request of the client, brought to one server, and its answer back. */

export interface ForwardContext {
  readonly hello: Hello;
  readonly asks: ClientAsks;
  readonly held: HeldCalls;
  readonly limits: GatewayLimits;
  /** The client does not want to know any more. */
  readonly signal: AbortSignal;
  onProgress(params: JsonObject): void;
}

/** A newer server does not ask the client itself: it answers with what it would like to know. */
function isInputRequired(result: JsonObject): boolean {
  return result.resultType === 'input_required';
}

const mostInputs = 16;

async function collectInput(
  link: ServerLink,
  result: JsonObject,
  { asks, hello }: ForwardContext,
): Promise<JsonObject> {
  const wanted = entriesOf(result.inputRequests);
  if (wanted.length > mostInputs)
    throw new RpcError(codes.internal, `server ${JSON.stringify(link.name)} asks for too much at once`);
  const responses: Record<string, unknown> = Object.create(null);
  for (const [key, request] of wanted) {
    const { method, params } = asObject(request);
    const reply = await asks.ask(link, asString(method) ?? '', asObject(params), hello, null);
    if (reply.is !== 'result') {
      throw new RpcError(
        codes.internal,
        `server ${JSON.stringify(link.name)} needs an answer that the client did not give`,
      );
    }
    responses[key] = reply.result;
  }
  return {
    inputResponses: responses,
    ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
  };
}

/** Of several servers the client has to know which one failed. */
export function resultOrThrow(link: ServerLink, reply: Reply): JsonObject {
  if (reply.is === 'result') return reply.result;
  const whose = `server ${JSON.stringify(link.name)}`;
  if (reply.is === 'none') throw new RpcError(codes.internal, `${whose}: ${reply.because}`);
  const { code, message, data } = reply.error;
  const words = asString(message) ?? 'an error without a message';
  throw new RpcError(Number.isInteger(code) ? Number(code) : codes.internal, `${whose}: ${words}`, data);
}

/** What it is that is asked for: a call that is taken up again must be the same. */
function targetOf({ name, uri, arguments: input }: JsonObject): string {
  return JSON.stringify([name, uri, input]);
}

/** An older server may ask a newer client something, which then calls again. */
export function forward(
  link: ServerLink,
  method: string,
  params: JsonObject,
  context: ForwardContext,
): Promise<JsonObject> {
  const { hello, held, signal } = context;
  if (!hello.isModern || link.isModern) return send(link, method, params, context, signal);
  const { inputResponses: _responses, requestState, ...rest } = params;
  const target = targetOf(params);
  return requestState === undefined
    ? held.begin(link, method, target, signal, (until) => send(link, method, rest, context, until))
    : held.resume(link, method, target, params, signal);
}

async function send(
  link: ServerLink,
  method: string,
  params: JsonObject,
  context: ForwardContext,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { hello, limits, onProgress } = context;
  let more: JsonObject = {};
  for (let round = 0; round <= limits.inputRounds; round += 1) {
    const reply = await link.ask(
      method,
      {},
      {
        timeoutMs: limits.requestMs,
        onProgress,
        signal,
        params: (id) => paramsFor({ ...params, ...more }, link.isModern, hello, id),
      },
    );
    const result = resultOrThrow(link, reply);
    if (!isInputRequired(result)) return labelUris(method, link.label, result);
    // A client of the same era does this itself.
    if (hello.isModern) return result;
    more = await collectInput(link, result, context);
  }
  throw new RpcError(codes.internal, `server ${JSON.stringify(link.name)} asks for more and more`);
}
