import { describeError, HostError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import type { Limits, NetworkRule, Policy } from '../../../base/policy-schema.ts';
import type { BoxProcess, BoxRecord, ExitStatus } from '../../../engine/box/contract.ts';
import type { EgressAttempts } from '../../../engine/net/egress/attempts.ts';
import type { EgressMode } from '../../../engine/net/egress/rules-in-force.ts';
import type { Gap } from '../../../engine/policy/gap.ts';
import type { HttpBridge } from '../http/bridge.ts';
import type { RelayEnd } from '../stream/contract.ts';
import type { MessageGate } from '../stream/gate.ts';
import type { MessageRelay } from '../stream/relay.ts';
import type { CanaryEyes } from './canary-eyes.ts';
import type { EndReason, GuardedEnd, GuardedServer } from './contract.ts';
import type { EgressNotes } from './egress-notes.ts';
import type { ToolCalls } from './observe-tools.ts';
import type { ServerPlace } from './place.ts';
import { endPolitely } from './polite-end.ts';
import type { Note, RunLedger } from './run-ledger.ts';

/** A server that runs, from its first message to the entry that says how it ended. */

export interface GuardedParts {
  readonly name: string;
  readonly policy: Policy;
  readonly acceptedGaps: readonly Gap[];
  readonly place: ServerPlace;
  readonly child: BoxProcess;
  /** Null where somebody else moves the messages. */
  readonly relay: MessageRelay | null;
  readonly openGate: () => MessageGate;
  readonly eyes: CanaryEyes;
  /** To a server that does not speak over stdio. */
  readonly bridge: HttpBridge | null;
  readonly ledger: RunLedger;
  readonly egress: EgressNotes;
  readonly calls: ToolCalls;
  /** Aborted with the reason when something failed that nothing may go on after. */
  readonly failure: AbortSignal;
  readonly signal: AbortSignal | undefined;
}

/** What is left in the pipes of a server that has ended has to come out within this time. */
const drainMs = 5 * secondMs;
/** Limits that end the server; the others only make calls of it fail. */
const endingLimits: readonly (keyof Limits)[] = ['wallMs', 'outputBytes', 'memoryBytes', 'diskBytes'];

function once(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** An end that could not be observed. */
const unknownEnd: ExitStatus = {
  code: null,
  signal: 'SIGKILL',
  wallMs: 0,
  peakMemoryBytes: null,
  limitsHit: [],
  droppedOutputBytes: 0,
};

const noCounts = { messages: 0, bytes: 0, noise: 0, changed: 0, refused: 0, dropped: 0 };
const nothingRelayed: RelayEnd = {
  reason: 'server-ended',
  problem: null,
  counts: { 'to-server': noCounts, 'to-client': noCounts },
};

const reasonsOfRelay: Readonly<Record<RelayEnd['reason'], EndReason>> = {
  'client-ended': 'client-gone',
  'server-ended': 'server-ended',
  closed: 'stopped',
  failed: 'failed',
};

/** A server that ends because its client has gone is quicker than the relay, which still waits for answers. */
function reasonOf(first: EndReason, relay: RelayEnd, { limitsHit }: ExitStatus): EndReason {
  if (first !== 'server-ended') return first;
  if (limitsHit.some(({ limit }) => endingLimits.includes(limit))) return 'limit';
  return relay.reason === 'client-ended' ? 'client-gone' : first;
}

export class Guarded implements GuardedServer {
  readonly ended: Promise<GuardedEnd>;
  readonly #parts: GuardedParts;
  readonly #stopped = new AbortController();

  constructor(parts: GuardedParts) {
    this.#parts = parts;
    this.ended = this.#live();
  }

  get session(): string {
    return this.#parts.ledger.session;
  }

  get name(): string {
    return this.#parts.name;
  }

  get policy(): Policy {
    return this.#parts.policy;
  }

  get record(): BoxRecord {
    return this.#parts.place.record;
  }

  get fingerprint(): string {
    return this.record.fingerprint;
  }

  get folders(): ServerPlace['folders'] {
    return this.#parts.place.folders;
  }

  get acceptedGaps(): readonly Gap[] {
    return this.#parts.acceptedGaps;
  }

  get refusedConnections(): number {
    return this.#parts.egress.counts.refused;
  }

  get network(): string | null {
    return this.#parts.place.network;
  }

  openGate(): MessageGate {
    return this.#parts.openGate();
  }

  /** Tools that were called, with how often. */
  get toolCalls(): ReadonlyMap<string, number> {
    return this.#parts.calls.counts;
  }

  get egressAttempts(): EgressAttempts {
    return this.#parts.place.attempts;
  }

  async applyEgress(rules: readonly NetworkRule[], mode: EgressMode = 'default-deny'): Promise<boolean> {
    const { place, ledger } = this.#parts;
    const details = {
      mode,
      rules: rules.slice(0, 100).map(({ host, port }) => `${host}:${port}`),
      count: rules.length,
    };
    // Told first: rules that nobody could read about later do not come into force.
    await ledger.write({ action: 'egress.rules', verdict: 'changed', details });
    return place.applyEgress(rules, mode);
  }

  /** An entry about this run. */
  note(note: Note): Promise<void> {
    return this.#parts.ledger.write(note);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async close(): Promise<void> {
    this.stop();
    await this.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #live(): Promise<GuardedEnd> {
    const { child, relay, failure, place, ledger } = this.#parts;
    const exited = child.exited.catch(() => unknownEnd);
    const relayed = relay?.run() ?? exited.then(() => nothingRelayed);
    const first = await this.#firstToEnd(relayed, exited);
    if (first === 'failed') child.kill('SIGKILL');
    // A server that has ended may still have said something that is on its way.
    if (first === 'server-ended') await within(relayed, drainMs);
    await endPolitely(child);
    const status = await exited;
    relay?.close();
    const relayEnd = await relayed;
    await this.#parts.bridge?.close().catch(() => undefined);
    const reason = reasonOf(first, relayEnd, status);
    const errors: unknown[] = failure.aborted ? [failure.reason] : [];
    if (relayEnd.reason === 'failed') errors.push(new HostError(`the relay failed: ${relayEnd.problem ?? ''}`));
    // While the box is still there: what it was left with.
    await this.#parts.eyes.searchFiles(place.box).catch((error: unknown) => errors.push(error));
    await this.#tellEnd(reason, status, relayEnd).catch((error: unknown) => errors.push(error));
    await place.close().catch((error: unknown) => errors.push(error));
    // What the network had left to tell is told when it is closed.
    await ledger.settle();
    const [error] = errors;
    return error === undefined ? { reason, status } : { reason: 'failed', status, error };
  }

  #firstToEnd(relayed: Promise<RelayEnd>, exited: Promise<ExitStatus>): Promise<EndReason> {
    const { failure, signal } = this.#parts;
    return Promise.race<EndReason>([
      relayed.then(({ reason }) => reasonsOfRelay[reason]),
      exited.then(() => 'server-ended'),
      Promise.race([once(this.#stopped.signal), once(signal)]).then(() => 'stopped'),
      once(failure).then(() => 'failed'),
    ]);
  }

  async #tellEnd(reason: EndReason, status: ExitStatus, { counts }: RelayEnd): Promise<void> {
    const { ledger, egress, calls, failure } = this.#parts;
    for (const { limit, detail } of status.limitsHit) {
      await ledger.write({ action: 'limit.hit', verdict: 'refused', rule: `limits/${limit}`, details: { detail } });
    }
    await ledger.write({
      action: 'server.end',
      verdict: 'noted',
      details: {
        reason,
        code: status.code,
        signal: status.signal,
        wallMs: Math.round(status.wallMs),
        peakMemoryBytes: status.peakMemoryBytes,
        droppedOutputBytes: status.droppedOutputBytes,
        messages: { ...counts },
        egress: { ...egress.counts },
        tools: calls.counts.size,
        ...(failure.aborted ? { problem: describeError(failure.reason) } : {}),
      },
    });
  }
}
