import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import type { CanaryHit, CanaryWatch } from '../contract.ts';

/** The server's stderr on its way to whoever reads it, with a look at it for tokens that have no business there. */

/** A token may lie across two chunks. */
const overlapBytes = 1024;

export interface StderrTap {
  readonly from: Readable;
  readonly to: Writable | null;
  readonly server: string;
  readonly canaries: CanaryWatch;
  readonly onHits: (hits: readonly CanaryHit[]) => void;
}

/** A reader that is not there, or went away, must not hold the server up. */
export function passOn(from: Readable, to: Writable | null): void {
  if (to === null || to.destroyed) {
    from.resume();
    return;
  }
  from.pipe(to, { end: false });
  to.once('error', () => from.unpipe(to).resume());
  to.once('close', () => from.unpipe(to).resume());
}

export function tapStderr({ from, to, server, canaries, onHits }: StderrTap): void {
  const told = new Set<string>();
  let tail: Buffer = Buffer.alloc(0);
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const hits = canaries.search({ server, channel: 'stderr', name: 'stderr' }, Buffer.concat([tail, chunk]));
      tail = Buffer.from(chunk.subarray(-overlapBytes));
      const fresh = hits.filter(({ id, encoding }) => !told.has(`${id} ${encoding}`));
      for (const { id, encoding } of fresh) told.add(`${id} ${encoding}`);
      if (fresh.length > 0) onHits(fresh);
      done(null, chunk);
    },
  });
  passOn(from.pipe(look), to);
}
