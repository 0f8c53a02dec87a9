import type { NetEvent, NetEventKind } from '../event.ts';
import type { Details } from '../listener.ts';
import type { Source } from '../router/recorder.ts';
import { AttemptCounter, type EgressAttempts } from './attempts.ts';

/** One record of two writers: the router process, which hears the box, and the gate, which connects for it. */

type OnEvents = (events: readonly NetEvent[]) => void | Promise<void>;

export class GateLog {
  readonly #counter = new AttemptCounter();
  readonly #onEvents: OnEvents;
  #sequence = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(onEvents: OnEvents) {
    this.#onEvents = onEvents;
  }

  get attempts(): EgressAttempts {
    return this.#counter.attempts;
  }

  get count(): number {
    return this.#sequence;
  }

  /** Numbers them and hands them over after all that came before. */
  put(events: readonly NetEvent[]): Promise<void> {
    const numbered = events.map((event) => {
      this.#sequence += 1;
      this.#counter.see(event);
      return { ...event, sequence: this.#sequence };
    });
    this.#work = this.#work.then(() => this.#onEvents(numbered));
    // Whoever waits for one of these promises hears of a failure, and `flush` does in any case.
    this.#work.catch(() => undefined);
    return this.#work;
  }

  record(source: Source, kind: NetEventKind, details: Details = {}): Promise<void> {
    const at = { monotonicNs: process.hrtime.bigint().toString(), wallMs: Date.now() };
    const { fields = {}, bytes } = details;
    return this.put([{ sequence: 0, kind, at, ...source, fields, ...(bytes === undefined ? {} : { bytes }) }]);
  }

  /** Rejects when the reader failed. */
  flush(): Promise<void> {
    return this.#work;
  }
}
