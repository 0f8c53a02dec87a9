import type { Door } from '../definition.ts';
import { exitCodeOf, type Interrupts, withInterrupts } from '../interrupts.ts';

/**
 * The first Ctrl-C ends the work in good order; the second ends the waiting for it. What a box leaves behind then is put
 * away by its reaper, or by `hotcell doctor --clean`.
 */
export async function untilInterrupted(
  door: Door,
  work: (signal: AbortSignal, interrupts: Interrupts) => Promise<number>,
): Promise<number> {
  return withInterrupts(async (interrupts) => {
    const signal = AbortSignal.any([interrupts.signal, door.readerGone]);
    const insisted = new Promise<number>((resolve) => {
      interrupts.insistence.addEventListener(
        'abort',
        () => {
          door.stderr.write('\nhotcell: ended at once; hotcell doctor --clean puts away what is left of a box\n');
          resolve(exitCodeOf(interrupts.received() ?? 'SIGINT'));
        },
        { once: true },
      );
    });
    const working = work(signal, interrupts);
    // Whoever no longer waits for it does not want to hear of its failure either.
    working.catch(() => {});
    return Promise.race([working, insisted]);
  });
}
