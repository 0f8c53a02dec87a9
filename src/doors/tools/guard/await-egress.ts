import { setTimeout as pause } from 'node:timers/promises';
import { secondMs } from '../../../base/limits.ts';
import type { EgressState, Registry, Running } from '../../../instruments/guard/registry/index.ts';

/** Waits until the boxes that run have answered to an order, for a while. */

const longestMs = 10 * secondMs;
const lookAgainMs = 50;

export interface EgressAnswer {
  readonly state: 'applied' | 'refused' | 'waiting' | 'not-running';
  readonly egress: EgressState;
}

function stateOf(running: readonly Running[], number: number): EgressAnswer['state'] {
  if (running.length === 0) return 'not-running';
  if (running.some(({ guard: { egress } }) => egress === null || egress.number < number)) return 'waiting';
  return running.every(({ guard: { egress } }) => egress?.isApplied === true) ? 'applied' : 'refused';
}

export async function awaitEgress(
  registry: Registry,
  handle: string,
  number: number,
  signal: AbortSignal,
): Promise<EgressAnswer> {
  const until = performance.now() + longestMs;
  for (;;) {
    const egress = registry.egressOf(handle);
    const state = stateOf(egress.running, number);
    if (state !== 'waiting' || performance.now() > until || signal.aborted) return { state, egress };
    await pause(lookAgainMs);
  }
}
