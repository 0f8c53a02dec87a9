import type { JsonObject } from '../../../base/json-shape.ts';
import type { LedgerVerdict } from '../../../engine/ledger/contract.ts';
import type { GuardRecorder } from '../contract.ts';

/** The ledger as one run sees it: every entry says which session, server and policy it is about. */

export interface Note {
  readonly action: string;
  readonly verdict: LedgerVerdict;
  readonly rule?: string;
  readonly details?: JsonObject;
}

export interface RunFacts {
  readonly server: string;
  /** Fingerprint of the policy in force. */
  readonly policy: string;
  /** Called with the first entry that could not be written: nothing may go on that it should have told about. */
  readonly onFailure: (error: unknown) => void;
}

export class RunLedger {
  readonly #recorder: GuardRecorder;
  readonly #facts: RunFacts;
  #pending: Promise<unknown> = Promise.resolve();

  constructor(recorder: GuardRecorder, facts: RunFacts) {
    this.#recorder = recorder;
    this.#facts = facts;
  }

  get session(): string {
    return this.#recorder.session;
  }

  /** Resolves when it is on the disk. */
  async write(note: Note): Promise<void> {
    const { server, policy, onFailure } = this.#facts;
    const written = this.#recorder.ledger.append({
      instrument: 'guard',
      session: this.session,
      server,
      policy,
      ...note,
    });
    this.#pending = Promise.allSettled([this.#pending, written]);
    try {
      await written;
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }

  /** For what has happened already and waits for nobody. */
  mention(note: Note): void {
    this.write(note).catch(() => undefined);
  }

  /** Resolves when everything that was mentioned is written, or has failed. */
  async settle(): Promise<void> {
    await this.#pending;
  }
}
