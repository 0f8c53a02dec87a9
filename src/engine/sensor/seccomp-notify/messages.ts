/** Between the thread that serves the notifications and its owner; records go by the side of these, through memory. */

export type ToWatcher = { readonly type: 'listen'; readonly listener: number } | { readonly type: 'stop' };

export interface Counts {
  /** Calls that were let go without being written down, through a fault of ours. */
  readonly lost: number;
  /** Listeners that still had processes when the time was up. */
  readonly outlived: number;
}

export type FromWatcher =
  | { readonly type: 'ready'; readonly waker: number; readonly thread: number }
  | { readonly type: 'listening'; readonly listener: number }
  /** Said before it is closed, so that nobody closes the number twice. */
  | { readonly type: 'gone'; readonly listener: number }
  | { readonly type: 'end'; readonly counts: Counts };
