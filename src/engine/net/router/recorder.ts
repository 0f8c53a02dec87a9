import type { AskedAddress, NetEvent, NetEventKind, PeerAddress } from '../event.ts';
import type { Details } from '../listener.ts';

/** Numbers events and connections; both count from 1 and never skip. */

export interface Source {
  readonly transport: NetEvent['transport'];
  readonly connection: number;
  readonly peer: PeerAddress;
  readonly asked: AskedAddress;
  readonly isInsideTls: boolean;
}

export class Recorder {
  readonly #put: (event: NetEvent) => Promise<void>;
  #sequence = 0;
  #connections = 0;

  constructor(put: (event: NetEvent) => Promise<void>) {
    this.#put = put;
  }

  nextConnection(): number {
    this.#connections += 1;
    return this.#connections;
  }

  record(source: Source, kind: NetEventKind, details: Details = {}): Promise<void> {
    this.#sequence += 1;
    return this.#put({
      sequence: this.#sequence,
      kind,
      at: { monotonicNs: process.hrtime.bigint().toString(), wallMs: Date.now() },
      ...source,
      fields: details.fields ?? {},
      ...(details.bytes === undefined ? {} : { bytes: details.bytes }),
    });
  }
}
