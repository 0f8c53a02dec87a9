import type { GateConfig, RouterConfig } from '../config.ts';
import type { AskedAddress, PeerAddress } from '../event.ts';
import type { Batch } from './outbox.ts';

/** What the parent and the router process say to each other. */

/** What the process is to be. */
export type StartOrder =
  | { readonly type: 'start'; readonly config: RouterConfig }
  | { readonly type: 'start-gate'; readonly config: GateConfig };

export type ToRouter =
  | StartOrder
  | { readonly type: 'acknowledge'; readonly id: number }
  /** Of a gate: the hosts that have a name from now on. */
  | { readonly type: 'set-hosts'; readonly id: number; readonly hosts: readonly string[] }
  /** Of a gate: which name an address was made up for. */
  | { readonly type: 'name-of'; readonly id: number; readonly address: string }
  /** A stream that was passed on is closed. */
  | { readonly type: 'stream-ended'; readonly connection: number }
  | { readonly type: 'stop' };

export interface RouterCounts {
  /** Datagrams that came faster than they could be read. */
  readonly droppedDatagrams: number;
  /** Names whose addresses can no longer be mapped back. */
  readonly forgottenNames: number;
  /** Failures of our own that no listener expected; what they were about may be missing. */
  readonly problems: number;
}

/** A connection of the box on its way to the parent; the socket travels with the message. */
export interface PassedStream {
  readonly connection: number;
  readonly peer: PeerAddress;
  readonly asked: AskedAddress;
}

export type FromRouter =
  /** Its sockets are open and its rights are gone. */
  | { readonly type: 'waiting' }
  | { readonly type: 'ready' }
  | Batch
  | { readonly type: 'hosts-set'; readonly id: number }
  | { readonly type: 'name'; readonly id: number; readonly name: string | null }
  | ({ readonly type: 'stream' } & PassedStream)
  | { readonly type: 'keys'; readonly lines: string }
  | ({ readonly type: 'stopped' } & RouterCounts);
