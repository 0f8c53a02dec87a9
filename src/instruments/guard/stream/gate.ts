import { asObject } from '../../../base/json-shape.ts';
import type { Direction, Message } from '../contract.ts';
import { type Classified, classify, type Envelope, type NoMessage, salvageId } from './classify.ts';
import type { GateOptions } from './contract.ts';
import { type FaultId, hitOf } from './faults.ts';
import { Judge, type Judgement } from './judge.ts';
import { defaultRelayLimits, type RelayLimits } from './limits.ts';
import type { Line } from './line-reader.ts';
import { OpenRequests } from './open-requests.ts';
import { Recording } from './recording.ts';
import { refusalText } from './refusal.ts';
import { RelayedMessage, remembered } from './relayed-message.ts';

/**
 * Decides about one line at a time: what goes on to the other side, and what the sender is told.
 *
 *     line ─ classify ─ tie to its request ─ rules ─ ledger ─┬─ forward: the same bytes, or changed ones
 *                                                            └─ reply: an error for the sender
 */

export interface Passage {
  /** With its end of line. Null when nothing goes on. */
  readonly forward: Buffer | null;
  readonly reply: Buffer | null;
}

/** Of one message: without ends of lines. */
interface Part {
  readonly forward: Buffer | null;
  readonly isChanged: boolean;
  readonly reply: string | null;
}

interface Tally {
  noise: number;
  changed: number;
  refused: number;
  dropped: number;
}

const nothing: Passage = { forward: null, reply: null };
const dropped: Part = { forward: null, isChanged: true, reply: null };
const otherWay: Readonly<Record<Direction, Direction>> = { 'to-server': 'to-client', 'to-client': 'to-server' };
const noise: ReadonlySet<FaultId> = new Set(['stream/not-json', 'stream/not-utf8', 'stream/not-json-rpc']);

function lineOf(text: string | Buffer): Buffer {
  return typeof text === 'string' ? Buffer.from(`${text}\n`) : Buffer.concat([text, Buffer.from('\n')]);
}

export class MessageGate {
  readonly limits: RelayLimits;
  readonly tallies: Readonly<Record<Direction, Tally>>;
  readonly #options: GateOptions;
  readonly #judge: Judge;
  readonly #recording: Recording;
  /** By the direction that the request went. */
  readonly #open: Readonly<Record<Direction, OpenRequests>>;

  constructor(options: GateOptions) {
    const { rules, context, recorder, policy, describe } = options;
    this.#options = options;
    this.limits = { ...defaultRelayLimits, ...options.limits };
    this.#judge = new Judge(rules, context);
    this.#recording = new Recording({ recorder, server: context.server, mode: context.mode, policy, describe });
    const tally = (): Tally => ({ noise: 0, changed: 0, refused: 0, dropped: 0 });
    this.tallies = { 'to-server': tally(), 'to-client': tally() };
    const { openRequests } = this.limits;
    this.#open = { 'to-server': new OpenRequests(openRequests), 'to-client': new OpenRequests(openRequests) };
  }

  /** A promise only where the ledger has to be waited for. It never rejects. `isReachable` is false when the receiver has gone. */
  take(direction: Direction, line: Line, isReachable = true): Passage | Promise<Passage> {
    if (line.is === 'too-long') {
      const rawId = salvageId(line.head, line.tail, this.limits);
      return this.#passageOf(this.#refuseLine(direction, 'stream/too-long', rawId, line.bytes));
    }
    const classified = classify(line.content, this.limits);
    if (classified.is === 'batch') return this.#takeBatch(direction, line.whole, classified, isReachable);
    const part = this.#takeOne(direction, classified, isReachable);
    if (part instanceof Promise) return part.then((settled) => this.#passageOf(settled, line.whole));
    return this.#passageOf(part, line.whole);
  }

  /** Errors for everything that the server will not answer any more. */
  abandon(): Buffer | null {
    const texts = this.#open['to-server'].takeAll().map(({ rawId }) => refusalText(rawId, hitOf('guard/ended')));
    return texts.length === 0 ? null : Buffer.from(`${texts.join('\n')}\n`);
  }

  close(): void {
    this.#recording.end();
  }

  #passageOf({ forward, isChanged, reply }: Part, whole?: Buffer): Passage {
    if (forward === null && reply === null) return nothing;
    const passes = forward === null ? null : !isChanged && whole !== undefined ? whole : lineOf(forward);
    return { forward: passes, reply: reply === null ? null : lineOf(reply) };
  }

  async #takeBatch(
    direction: Direction,
    whole: Buffer,
    { members }: Extract<Classified, { is: 'batch' }>,
    isReachable: boolean,
  ): Promise<Passage> {
    // All of them are judged before any is waited for, so that the ledger can write them at once.
    const parts = await Promise.all(members.map((member) => this.#takeOne(direction, member, isReachable)));
    const forwards = parts.flatMap(({ forward }) => (forward === null ? [] : [forward]));
    const replies = parts.flatMap(({ reply }) => (reply === null ? [] : [reply]));
    const isChanged = parts.some((part) => part.isChanged);
    const joined = `[${forwards.map((bytes) => bytes.toString('utf8')).join(',')}]\n`;
    return {
      forward: !isChanged ? whole : forwards.length === 0 ? null : Buffer.from(joined),
      reply: replies.length === 0 ? null : Buffer.from(`[${replies.join(',')}]\n`),
    };
  }

  #takeOne(direction: Direction, classified: Envelope | NoMessage, isReachable: boolean): Part | Promise<Part> {
    if (classified.is === 'fault') {
      const { fault, rawId, bytes } = classified;
      return this.#refuseLine(direction, fault, rawId, bytes.length);
    }
    const { kind, id, rawId } = classified;
    if (kind === 'response') return this.#takeAnswer(direction, classified);
    const message = new RelayedMessage(direction, classified, null);
    if (kind === 'notification' || id === null || rawId === null) {
      if (message.method === 'notifications/cancelled')
        this.#open[direction].markCancelled(asObject(message.value.params).requestId);
      return this.#decide(message, classified);
    }
    if (!isReachable) return this.#refuseLine(direction, 'guard/ended', rawId, message.bytes.length);
    const opened = this.#open[direction].open(id, rawId, remembered(message));
    if (opened === 'id-in-use') return this.#refuseLine(direction, 'stream/id-in-use', rawId, message.bytes.length);
    if (opened === 'too-many') return this.#refuseLine(direction, 'stream/too-many-open', rawId, message.bytes.length);
    return this.#decide(message, classified);
  }

  #takeAnswer(direction: Direction, envelope: Envelope): Part | Promise<Part> {
    if (envelope.id === null) return this.#decide(new RelayedMessage(direction, envelope, null), envelope);
    const asked = this.#open[otherWay[direction]].take(envelope.id);
    if (asked === null) {
      this.#tell(direction, 'stream/unasked-answer', null, envelope.bytes.length);
      this.tallies[direction].dropped += 1;
      return dropped;
    }
    return this.#decide(new RelayedMessage(direction, envelope, asked.message), envelope);
  }

  #decide(message: RelayedMessage, { doubts }: Envelope): Part | Promise<Part> {
    const judgement = this.#judge.judge(
      message,
      doubts.map((doubt) => hitOf(doubt)),
    );
    for (const { hit, outcome } of judgement.hits) this.#options.onHit?.(hit, outcome, message, message.direction);
    const recorded = this.#recording.message(message, judgement);
    if (recorded === null) return this.#settle(message, judgement);
    return recorded.then(
      () => this.#settle(message, judgement),
      () => this.#settle(message, { ...judgement, refusal: hitOf('ledger/failed') }),
    );
  }

  #settle(given: RelayedMessage, { message, isChanged, refusal }: Judgement): Part {
    const { direction, kind, id, rawId } = given;
    const tally = this.tallies[direction];
    const open = this.#open[direction];
    if (refusal === null) {
      if (kind === 'request' && id !== null) open.markSent(id);
      if (isChanged) tally.changed += 1;
      return { forward: message.bytes, isChanged, reply: null };
    }
    if (kind === 'request' && id !== null) open.withdraw(id);
    if (kind === 'notification' || rawId === null) {
      tally.dropped += 1;
      return dropped;
    }
    tally.refused += 1;
    const text = refusalText(rawId, refusal);
    // An answer is replaced by the error, for somebody waits for it.
    if (kind === 'response') return { forward: Buffer.from(text), isChanged: true, reply: null };
    return { forward: null, isChanged: true, reply: text };
  }

  #refuseLine(direction: Direction, fault: FaultId, rawId: string | null, bytes: number): Part {
    this.#tell(direction, fault, null, bytes);
    const tally = this.tallies[direction];
    if (noise.has(fault)) tally.noise += 1;
    else tally.refused += 1;
    if (direction === 'to-server') return { ...dropped, reply: refusalText(rawId, hitOf(fault)) };
    return this.#refuseServerLine(fault, rawId);
  }

  /** A broken line of a server is not answered; but when it would have been an answer, its client need not wait for ever. */
  #refuseServerLine(fault: FaultId, rawId: string | null): Part {
    if (rawId === null) return dropped;
    const asked = this.#open['to-server'].take(JSON.parse(rawId) as string | number);
    if (asked === null) return dropped;
    return { forward: Buffer.from(refusalText(asked.rawId, hitOf(fault))), isChanged: true, reply: null };
  }

  #tell(direction: Direction, fault: FaultId, message: Message | null, bytes: number): void {
    this.#recording.fault(direction, fault, bytes);
    this.#options.onHit?.(hitOf(fault, { bytes }), 'refused', message, direction);
  }
}
