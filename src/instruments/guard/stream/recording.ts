import type { JsonObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import type { Direction, GuardRecorder, Message } from '../contract.ts';
import type { FaultId } from './faults.ts';
import type { Judgement } from './judge.ts';
import { subjectOf } from './relayed-message.ts';

/** What the ledger is told about messages. */

/** Requests that do something, or ask somebody for something: each is in the ledger before it goes on. */
const recordedMethods: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'tool.call'],
  ['resources/read', 'resource.read'],
  ['resources/subscribe', 'resource.subscribe'],
  ['prompts/get', 'prompt.get'],
  ['sampling/createMessage', 'sampling.request'],
  ['elicitation/create', 'elicitation.request'],
]);

const verdicts = { refused: 'refused', changed: 'changed', passed: 'allowed' } as const;

export interface RecordingOptions {
  readonly recorder: GuardRecorder;
  readonly server: string;
  readonly mode: string;
  readonly policy: string | undefined;
  readonly describe: ((message: Message) => JsonObject) | undefined;
}

const longestName = 256;

export function shownName(name: string): string {
  return forTerminal(untrusted(name, longestName));
}

export class Recording {
  readonly #options: RecordingOptions;
  readonly #faults = new Map<
    string,
    { readonly direction: Direction; readonly fault: FaultId; count: number; bytes: number }
  >();

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** Null when there is nothing to tell. Rejects when the ledger failed. */
  message(message: Message, judgement: Judgement): Promise<unknown> | null {
    const { kind, method } = message;
    const action = kind === 'request' ? recordedMethods.get(method ?? '') : undefined;
    if (action === undefined && judgement.hits.length === 0) return null;
    const outcome = judgement.refusal !== null ? 'refused' : judgement.isChanged ? 'changed' : 'passed';
    const isNote = action === undefined && outcome === 'passed';
    const rule =
      judgement.refusal?.rule ??
      (judgement.hits.find((one) => one.outcome === 'changed') ?? judgement.hits[0])?.hit.rule;
    return this.#append({
      action: action ?? `message.${outcome === 'refused' ? 'refuse' : outcome === 'changed' ? 'change' : 'note'}`,
      verdict: isNote ? 'noted' : verdicts[outcome],
      ...(rule === undefined ? {} : { rule }),
      details: {
        ...this.#about(message),
        ...(judgement.hits.length === 0
          ? {}
          : {
              hits: judgement.hits.map(({ hit, outcome: became }) => ({
                rule: hit.rule,
                outcome: became,
                what: hit.what,
                ...hit.details,
              })),
            }),
        ...(action === undefined ? {} : this.#options.describe?.(message)),
      },
    });
  }

  /** A flood of noise is told in powers of ten, and once more at the end. */
  fault(direction: Direction, fault: FaultId, bytes: number): void {
    const key = `${direction} ${fault}`;
    const seen = this.#faults.get(key) ?? { direction, fault, count: 0, bytes: 0 };
    seen.count += 1;
    seen.bytes += bytes;
    this.#faults.set(key, seen);
    if (/^10*$/.test(String(seen.count))) this.#tellFault(direction, fault, seen);
  }

  end(): void {
    for (const { direction, fault, ...seen } of this.#faults.values())
      if (!/^10*$/.test(String(seen.count))) this.#tellFault(direction, fault, seen);
  }

  /** Nothing goes on that this tells about, so nothing has to wait for it, and a failure stops nothing more. */
  #tellFault(
    direction: Direction,
    fault: FaultId,
    { count, bytes }: { readonly count: number; readonly bytes: number },
  ): void {
    this.#append({
      action: 'message.drop',
      verdict: 'refused',
      rule: fault,
      details: { direction, count, bytes },
    }).catch(() => undefined);
  }

  #about(message: Message): JsonObject {
    const { direction, kind, method, bytes } = message;
    const asked = kind === 'response' ? message.request : message;
    const subject = asked === null ? '' : subjectOf(asked);
    const about = {
      method: shownName(method ?? ''),
      direction,
      kind,
      bytes: bytes.length,
      ...(this.#options.mode === 'enforce' ? {} : { mode: this.#options.mode }),
    };
    const named =
      subject === '' ? about : { ...about, [method === 'tools/call' ? 'tool' : 'subject']: shownName(subject) };
    if (kind !== 'request') return named;
    const { params } = message.value;
    const given = typeof params === 'object' && params !== null && 'arguments' in params ? params.arguments : params;
    return { ...named, arguments: this.#options.recorder.ledger.hashSecret(JSON.stringify(given ?? null)) };
  }

  #append(entry: Pick<LedgerEntry, 'action' | 'verdict' | 'rule' | 'details'>): Promise<unknown> {
    const { recorder, server, policy } = this.#options;
    const { ledger, session } = recorder;
    try {
      return ledger.append({
        instrument: 'guard',
        session,
        server,
        ...(policy === undefined ? {} : { policy }),
        ...entry,
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }
}
