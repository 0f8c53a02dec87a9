import { z } from 'zod';
import { minuteMs } from '../../../base/limits.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import { type GuardMode, guardModes } from '../contract.ts';

/** Since when a server is only listened to. A mode for a trial that is forgotten is no protection. */

const modeSchema = z.strictObject({ mode: z.enum(guardModes), since: z.iso.datetime() });
const modes = { name: 'guard-modes', schema: modeSchema, mostDocuments: 10_000 } as const;

const dayMs = 24 * 60 * minuteMs;
export const staleAfterDays = 7;

export interface ModeAge {
  readonly since: string;
  readonly days: number;
  /** It only tells, and has done so for too long. */
  readonly isStale: boolean;
}

/** Remembers when the mode of this server was last changed, and says how long ago that is. */
export function noteMode(store: StoreHandle, server: string, mode: GuardMode, now: Date): ModeAge {
  const at = now.toISOString();
  const known = store.collection(modes);
  const before = known.get(server)?.value;
  // A start in the same mode writes nothing: many starts a minute would only wear the file out.
  const kept = before?.mode === mode ? before : known.put(server, { mode, since: at }).value;
  const days = (now.getTime() - Date.parse(kept.since)) / dayMs;
  return { since: kept.since, days: Math.floor(days), isStale: mode === 'audit' && days > staleAfterDays };
}
