import type { Counters } from '../batches.ts';

/** Between the sensor and its thread. */

export interface WorkerOrder {
  readonly socketPath: string;
  readonly counters: Counters;
  /** Int32: 1 when it shall come to an end. */
  readonly control: SharedArrayBuffer;
}

export interface Totals {
  readonly sandboxes: number;
  readonly received: number;
  readonly lost: number;
  readonly truncated: number;
  readonly heartbeats: number;
  readonly isFromStart: boolean;
  /** Sandboxes that were still there when we left. */
  readonly abandoned: number;
}

export type FromWorker = { readonly type: 'listening' } | { readonly type: 'end'; readonly totals: Totals };

export function isFromWorker(message: unknown): message is FromWorker {
  return typeof message === 'object' && message !== null && 'type' in message;
}
