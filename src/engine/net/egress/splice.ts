import type { Socket } from 'node:net';
import type { EgressLimits } from './limits.ts';
import { reset } from './reset.ts';

/** Two sockets as one: what ends, stops or breaks on one side does so on the other. */

function closed(socket: Socket): Promise<void> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => void socket.once('close', () => resolve()));
}

/** Looks at bytes that are about to leave the box; a reason when they must not. It never throws. */
export type InspectBytes = (bytes: Buffer) => string | null;

export type SpliceLimits = Pick<EgressLimits, 'idleMs' | 'connectionBytes'>;

export interface Spliced {
  /** Lets the box's bytes through, after its first ones have been looked at. Those it objects to break everything off. */
  openUpstream(inspect?: InspectBytes | null): void;
  /** Breaks both sides; the first reason stays. */
  cut(reason: string): void;
  /** Resolves with the reason of an end that was none of the peers' own wish, null for a good one. */
  readonly ended: Promise<string | null>;
}

/** Upstream's bytes flow at once, because there are servers that speak first. */
export function splice(box: Socket, upstream: Socket, limits: SpliceLimits): Spliced {
  const { connectionBytes: mostBytes, idleMs } = limits;
  let reason: string | null = null;
  const cut = (why: string): void => {
    reason ??= why;
    for (const socket of [box, upstream]) if (!socket.destroyed) reset(socket);
  };
  const watch = (socket: Socket, who: string): void => {
    socket.on('error', (error: NodeJS.ErrnoException) => cut(`${who}: ${error.code ?? error.message}`));
    // Each has its own clock: one that has closed well may have left the other with bytes that nobody takes.
    socket.setTimeout(idleMs, () => cut('idleMs'));
    // Closed before both of its directions had come to their end: something broke that was no error to Node.
    socket.once('close', () => {
      if (!socket.readableEnded || !socket.writableFinished) cut(`${who}: closed`);
    });
  };
  const count = (): void => {
    if (box.bytesRead + upstream.bytesRead > mostBytes) cut('connectionBytes');
  };
  watch(box, 'box');
  watch(upstream, 'upstream');
  if (Number.isFinite(mostBytes)) upstream.on('data', count);
  upstream.pipe(box);
  for (const [socket, who] of [
    [box, 'box'],
    [upstream, 'upstream'],
  ] as const) {
    if (socket.destroyed) cut(`${who}: closed`);
  }
  return {
    openUpstream: (inspect = null) => {
      // Before the pipe's own listener: once both are reset, what it writes goes nowhere.
      if (inspect !== null) {
        box.on('data', (bytes: Buffer) => {
          const objection = inspect(bytes);
          if (objection !== null) cut(objection);
        });
      }
      if (Number.isFinite(mostBytes)) box.on('data', count);
      box.pipe(upstream);
    },
    cut,
    ended: Promise.all([closed(box), closed(upstream)]).then(() => reason),
  };
}
