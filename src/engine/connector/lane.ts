import type { Readable, Writable } from 'node:stream';

/** How a command that was begun in another place is held: three streams and its end. */
export interface Lane {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** When the streams have ended too. Rejects with a HostError when the connection is lost before. */
  readonly ended: Promise<LaneEnd>;
  /** Lets go of it at once, whatever the other side does. */
  drop(): void;
}

export interface LaneEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** One connection to a place, opened with the first command and opened anew when it was lost. */
export interface Wire {
  /** `isUrgent` goes past the queue: it is what ends something else. */
  begin(
    argv: readonly string[],
    options: { readonly signal?: AbortSignal; readonly isUrgent?: boolean },
  ): Promise<Lane>;
  close(): Promise<void>;
}
