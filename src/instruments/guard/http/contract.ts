import type { RequestFunction } from '../../../targets/conversation/http-request.ts';
import type { Direction } from '../contract.ts';
import type { Line, Passage } from '../stream/index.ts';
import type { FrontLimits } from './limits.ts';

/** Servers that speak HTTP: what stands before them, and what is to be had of it. */

/** Decides about one message at a time; a `MessageGate` is one. */
export interface FrontGate {
  take(direction: Direction, line: Line): Passage | Promise<Passage>;
  close(): void;
}

export interface ListenWishes {
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
  /** Whoever calls has to say it. Without one only loopback is listened on. */
  readonly token?: string | null;
  /** Names beside the bound one that clients may call us by. */
  readonly hostNames?: readonly string[];
}

export interface HttpFrontOptions {
  readonly listen: ListenWishes;
  /** The way to the server: that of `openInner`, or any other. */
  readonly request: RequestFunction;
  /** The one path that is served, beside those that the server itself names. Without it, the usual ones are. */
  readonly path?: string;
  /** One for each session: the ids of two clients may be the same. */
  readonly openGate: () => FrontGate;
  readonly limits?: Partial<FrontLimits>;
  /** One line for people: safe to show. */
  readonly tell?: (line: string) => void;
}

export interface HttpFront extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  counts(): { readonly connections: number; readonly exchanges: number; readonly sessions: number };
  /** Takes nobody in any more, ends what is under way, and is over in time. */
  close(): Promise<void>;
}
