import type { ClientStreams } from '../../../instruments/guard/run/contract.ts';
import type { SessionStreams } from '../../../instruments/guard/run/session.ts';
import type { Door } from '../definition.ts';
import type { Interrupts } from '../interrupts.ts';
import type { OpenHome } from './open-home.ts';
import type { RunWishes } from './wishes.ts';

/** What every way of serving is given: stdio, HTTP, several servers as one. */
export interface Serving {
  readonly door: Door;
  readonly home: OpenHome;
  readonly wishes: RunWishes;
  readonly streams: SessionStreams & {
    readonly client: ClientStreams;
    readonly tell: (line: string) => void;
    readonly signal: AbortSignal;
  };
  readonly interrupts: Interrupts;
  /** Of what is told about no single server. */
  readonly session: string;
}
