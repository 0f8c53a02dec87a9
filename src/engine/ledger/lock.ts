import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostError } from '../../base/errors.ts';
import { callSystem } from '../../base/ffi.ts';

/** A lock between processes that the kernel takes back when its holder dies. */

const exclusive = 2;
const notBlocking = 4;
const unlock = 8;
const wouldBlock = 11;
const interrupted = 4;
const shortWaitMs = 0.1;

/** False when somebody else has it. */
export function tryLock(descriptor: number): boolean {
  const { errno } = callSystem('flock', descriptor, exclusive | notBlocking);
  if (errno === 0) return true;
  if (errno === wouldBlock || errno === interrupted) return false;
  throw new HostError(`the lock of the ledger cannot be taken: error ${errno}`, {
    hint: 'the ledger must be on a file system that has flock',
  });
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Nobody ever wakes who waits for it. Timers are too coarse for what takes less than a millisecond. */
function pauseThread(): void {
  Atomics.wait(nothing, 0, 0, shortWaitMs);
}

/**
 * A lock is held for a fraction of a millisecond, which is less than a timer can wait. So the first waits hold this thread up,
 * for a millisecond in all; after that, most of the waiting is done by timers.
 */
const firstShortWaits = 10;
/** One in so many is long. */
const turn = 4;
const patientAfter = 200;

export class FileLock {
  readonly #descriptor: number;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'a', 0o600);
  }

  async acquire(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs;
    for (let attempt = 0; !tryLock(this.#descriptor); attempt += 1) {
      if (performance.now() > until) {
        throw new HostError(`other writers held the lock of the ledger for ${limitMs} ms`, {
          hint: 'look for a process that is stopped, or a disk that does not answer',
        });
      }
      const isShort = attempt < firstShortWaits || attempt % turn !== 0;
      if (isShort) pauseThread();
      else await sleep(attempt < patientAfter ? 1 : 10);
    }
  }

  release(): void {
    callSystem('flock', this.#descriptor, unlock);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
