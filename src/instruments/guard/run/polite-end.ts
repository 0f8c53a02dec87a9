import type { BoxProcess } from '../../../engine/box/contract.ts';

/** How a server is asked to end: its input is closed, then a signal says so, then it is ended. */

export interface PoliteTimes {
  /** How long it may take to end by itself once its input is closed. */
  readonly closedMs: number;
}

export const politeTimes: PoliteTimes = { closedMs: 1000 };

/** Resolves when the process has ended. The box itself insists two seconds after SIGTERM. */
export async function endPolitely(child: BoxProcess, { closedMs }: PoliteTimes = politeTimes): Promise<void> {
  // A server that does not read any more cannot hear of the end of its input either.
  child.stdin.once('error', () => undefined);
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGTERM'), closedMs);
  try {
    await child.exited;
  } catch {
    // Whoever waits for the end hears why.
  } finally {
    clearTimeout(timer);
  }
}
