import { Transform, type TransformCallback } from 'node:stream';

/** What the target prints, counted over stdout and stderr together. Past the cap nothing is handed on. */
export class OutputBudget {
  readonly #capBytes: number;
  readonly #onExceeded: () => void;
  #seenBytes = 0;

  constructor(capBytes: number, onExceeded: () => void) {
    this.#capBytes = capBytes;
    this.#onExceeded = onExceeded;
  }

  get droppedBytes(): number {
    return Math.max(0, this.#seenBytes - this.#capBytes);
  }

  meter(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done: TransformCallback) => {
        const left = this.#capBytes - this.#seenBytes;
        this.#seenBytes += chunk.length;
        if (chunk.length <= left) return done(null, chunk);
        this.#onExceeded();
        return left > 0 ? done(null, chunk.subarray(0, left)) : done();
      },
    });
  }
}
