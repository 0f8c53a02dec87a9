import type { EgressAttempts } from '../../../engine/net/egress/attempts.ts';
import type { StoreHandle } from '../../../engine/store/index.ts';
import type { Running } from './contract.ts';
import { attempts, type RunningDocument, runningGuards } from './documents.ts';
import { isSameProcess } from './process-identity.ts';

/** Guards that say of themselves that they run, and the sums of those that no longer do. */

const none: EgressAttempts = { blocked: 0, unlisted: 0 };

function add(left: EgressAttempts, right: EgressAttempts): { blocked: number; unlisted: number } {
  return { blocked: left.blocked + right.blocked, unlisted: left.unlisted + right.unlisted };
}

export function runningKey(handle: string, boxId: string): string {
  return `${handle}/${boxId}`;
}

/** Takes it off the list, and what it counted into the sum, in one step. Nobody can do it twice. */
export function endRunning(store: StoreHandle, key: string, last?: EgressAttempts): void {
  const sums = store.collection(attempts);
  store.collection(runningGuards).change(key, (before) => {
    if (before === null) return null;
    sums.change(before.handle, (sum) => add(sum ?? none, last ?? before.attempts));
    return null;
  });
}

/** Those whose process has gone without a word are taken off. */
export function listRunning(store: StoreHandle, handle: string): readonly Running[] {
  const listed = store.collection(runningGuards).list({ prefix: `${handle}/` });
  const isAlive = ({ pid, startTime }: RunningDocument): boolean => isSameProcess(pid, startTime);
  for (const { key, value } of listed) if (!isAlive(value)) endRunning(store, key);
  return listed.filter(({ value }) => isAlive(value)).map(({ key, value }) => ({ key, guard: value }));
}

export function sumAttempts(store: StoreHandle, handle: string, running: readonly Running[]): EgressAttempts {
  const ended = store.collection(attempts).get(handle)?.value ?? none;
  return running.reduce<EgressAttempts>((sum, { guard }) => add(sum, guard.attempts), ended);
}
