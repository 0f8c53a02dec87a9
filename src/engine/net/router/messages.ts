import type { RouterConfig } from '../config.ts';
import type { Batch } from './outbox.ts';

/** What the parent and the router process say to each other. */

export type ToRouter =
  | { readonly type: 'start'; readonly config: RouterConfig }
  | { readonly type: 'acknowledge'; readonly id: number }
  | { readonly type: 'stop' };

export interface RouterCounts {
  /** Datagrams that came faster than they could be read. */
  readonly droppedDatagrams: number;
  /** Names whose addresses can no longer be mapped back. */
  readonly forgottenNames: number;
  /** Failures of our own that no listener expected; what they were about may be missing. */
  readonly problems: number;
}

export type FromRouter =
  /** Its sockets are open and its rights are gone. */
  | { readonly type: 'waiting' }
  | { readonly type: 'ready' }
  | Batch
  | { readonly type: 'keys'; readonly lines: string }
  | ({ readonly type: 'stopped' } & RouterCounts);
