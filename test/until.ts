import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for what others do. The limit is there for what hangs, not to judge speed: neighbours may keep both cores busy. */
export async function until(isTrue: () => boolean, limitMs = 60_000): Promise<boolean> {
  for (const end = Date.now() + limitMs; !isTrue() && Date.now() < end; ) await sleep(50);
  return isTrue();
}
