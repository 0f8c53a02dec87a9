import { asObject, entriesOf, isObject } from '../../base/json-shape.ts';
import { untrusted } from '../../base/untrusted.ts';
import { textOfError, textOfResult } from './answer-text.ts';
import { boundValue } from './bound-value.ts';
import { answerServer, type ClientSide, defaultClientSide } from './client-side.ts';
import type { CallResult, Conversation, ConversationOptions, Handshake, Listing } from './contract.ts';
import { defaultVersion, type Era, withEnvelope } from './era.ts';
import { shakeHands } from './handshake.ts';
import { type ConversationLimits, defaultLimits, defaultTimeoutMs } from './limits.ts';
import { listAll } from './listing.ts';
import { parameterHeaders } from './parameter-headers.ts';
import { Peer, type PeerCounts, type Reply } from './peer.ts';
import type { Wire } from './wire.ts';

export interface DriveOptions extends ConversationOptions {
  readonly limits?: Partial<ConversationLimits>;
  /** How the client that the server believes in answers the server's own requests. */
  readonly side?: Partial<ClientSide>;
}

type Params = Readonly<Record<string, unknown>>;

/** One conversation over any wire. Nothing that a server says makes it throw but a handshake that never came about. */
export class DrivenConversation implements Conversation, AsyncDisposable {
  readonly #wire: Wire;
  readonly #peer: Peer;
  readonly #options: DriveOptions;
  readonly #limits: ConversationLimits;
  readonly #side: ClientSide;
  readonly #timeoutMs: number;
  readonly #inputSchemas = new Map<string, unknown>();
  #era: Era;
  #handshake: Handshake | null = null;
  /** The end of the turn before: requests go out one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;

  constructor(makeWire: (limits: ConversationLimits) => Wire, options: DriveOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#side = { ...defaultClientSide, ...options.side };
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.#era = { protocolVersion: options.protocolVersion ?? defaultVersion, isModern: false };
    this.#wire = makeWire(this.#limits);
    const { onMessage } = options;
    this.#peer = new Peer(this.#wire, {
      limits: this.#limits,
      side: this.#side,
      ...(onMessage === undefined ? {} : { onMessage }),
    });
  }

  /** What was cut, dropped or never asked for, so far. */
  get counts(): Readonly<PeerCounts> {
    return this.#peer.counts;
  }

  /** Rejects with a TargetError when the server agrees on no version. */
  handshake(): Promise<Handshake> {
    return this.#inTurn(async () => {
      const { identity, protocolVersion } = this.#options;
      const agreement = await shakeHands(this.#peer, this.#wire, {
        identity,
        timeoutMs: this.#timeoutMs,
        mostProblems: this.#limits.problems,
        ...(protocolVersion === undefined ? {} : { protocolVersion }),
      });
      this.#era = agreement.era;
      this.#handshake = agreement.handshake;
      return agreement.handshake;
    });
  }

  list(): Promise<Listing> {
    return this.#inTurn(async () => {
      const ask = (method: string, params: Params): Promise<Reply> => this.#ask(method, params, this.#timeoutMs);
      const listing = await listAll(ask, this.#handshake, this.#limits);
      this.#inputSchemas.clear();
      for (const { name, inputSchema } of listing.tools) this.#inputSchemas.set(name, inputSchema);
      return listing;
    });
  }

  call(tool: string, input: unknown, timeoutMs?: number): Promise<CallResult> {
    const headers = this.#era.isModern ? parameterHeaders(this.#inputSchemas.get(tool), input) : {};
    return this.#result('tools/call', { name: tool, arguments: input }, timeoutMs, headers);
  }

  getPrompt(name: string, input: Readonly<Record<string, string>>, timeoutMs?: number): Promise<CallResult> {
    return this.#result('prompts/get', { name, arguments: input }, timeoutMs);
  }

  readResource(uri: string, timeoutMs?: number): Promise<CallResult> {
    return this.#result('resources/read', { uri }, timeoutMs);
  }

  close(): Promise<void> {
    this.#closing ??= this.#wire.close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #result(method: string, params: Params, timeoutMs = this.#timeoutMs, headers: Readonly<Record<string, string>> = {}) {
    return this.#inTurn(async (): Promise<CallResult> => {
      const from = performance.now();
      const reply = await this.#ask(method, params, timeoutMs, headers);
      return { ...this.#outcome(reply), durationMs: performance.now() - from };
    });
  }

  /** A result may ask for more input, since 2026; then the same request goes out again with it. */
  async #ask(method: string, params: Params, timeoutMs: number, headers: Readonly<Record<string, string>> = {}) {
    const until = performance.now() + timeoutMs;
    let more: Params = {};
    for (let round = 0; ; round += 1) {
      const reply = await this.#peer.ask(
        method,
        withEnvelope({ ...params, ...more }, this.#era, this.#options.identity),
        {
          timeoutMs: Math.max(1, until - performance.now()),
          headers,
          isCancellable: true,
        },
      );
      const result = reply.kind === 'result' ? asObject(reply.result) : {};
      if (!this.#era.isModern || result.resultType !== 'input_required' || round >= this.#limits.inputRounds)
        return reply;
      more = this.#moreInput(result);
    }
  }

  #moreInput({ inputRequests, requestState }: Params): Params {
    const responses = entriesOf(inputRequests)
      .slice(0, this.#limits.messagesPerFrame)
      .flatMap(([key, request]) => {
        const { method, params } = asObject(request);
        this.#options.onMessage?.({ kind: 'request', content: boundValue(request) });
        const answer = typeof method === 'string' ? answerServer(method, params, this.#side) : null;
        return answer === null ? [] : [[key, answer] as const];
      });
    return {
      inputResponses: Object.fromEntries(responses),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }

  #outcome(reply: Reply): Omit<CallResult, 'durationMs'> {
    const cap = this.#limits.textBytes;
    switch (reply.kind) {
      case 'result':
        return {
          outcome: isObject(reply.result) ? 'answered' : 'invalid',
          isToolError: asObject(reply.result).isError === true,
          text: textOfResult(reply.result, cap),
          raw: boundValue(reply.result),
        };
      case 'error':
        return {
          outcome: 'rpc-error',
          isToolError: false,
          text: textOfError(reply.error, cap),
          raw: boundValue(reply.error),
        };
      case 'timeout':
        return { outcome: 'timeout', isToolError: false, text: untrusted(''), raw: null };
      case 'gone':
        return { outcome: 'gone', isToolError: false, text: untrusted(''), raw: { because: reply.because } };
      case 'invalid': {
        const { because, head = Buffer.alloc(0), droppedBytes = 0 } = reply;
        const kept = untrusted(head, cap);
        const text = { ...kept, droppedBytes: kept.droppedBytes + droppedBytes };
        return { outcome: 'invalid', isToolError: false, text, raw: { because, droppedBytes } };
      }
    }
  }
}
