import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '../../../../base/event-schema.ts';
import { asNumber, asObject, asString } from '../../../../base/json-shape.ts';
import type { EventWindow } from '../session/event-window.ts';

/** Waits until a target has come to rest. On a busy machine silence alone says little: it may be waiting for its turn. */

const msNs = 1_000_000n;
/** A connection that says nothing for so long is not waited for. */
const longestSilenceMs = 8000;
/** Between looking up a name, or reading a decoy, and what follows from it. */
const followMs = 1500;
/** What is begun and not done may take so much longer. */
const unfinishedMs = 6000;

const isTelling: ReadonlySet<Event['kind']> = new Set(['http-request', 'raw-bytes']);

/** Connections on which nothing has been said yet, and names that were looked up for one that is still to come. */
export function isUnfinished(events: readonly Event[], nowNs: bigint): boolean {
  const open = new Set<number>();
  const names = new Set<string>();
  const isLate = ({ at }: Event): boolean => nowNs - BigInt(at.monotonicNs) < BigInt(followMs) * msNs;
  let hasReadBait = false;
  for (const event of events) {
    const { kind, fields } = event;
    const connection = asNumber(fields.connection) ?? -1;
    if (kind === 'connection') {
      if (fields.state === 'open') open.add(connection);
      else open.delete(connection);
      names.delete(asString(asObject(fields.asked).name) ?? '');
    } else if (isTelling.has(kind)) {
      open.delete(connection);
      hasReadBait = false;
    } else if (kind === 'dns-answer' && isLate(event)) {
      const questions = Array.isArray(fields.questions) ? fields.questions : [];
      for (const question of questions) names.add(asString(asObject(question).name) ?? '');
    } else if (kind === 'bait-read') hasReadBait = isLate(event);
  }
  return open.size > 0 || names.size > 0 || hasReadBait;
}

/** No event for a while and nothing begun, or long enough. */
export async function awaitQuiet(window: EventWindow, quietMs: number, longestMs: number): Promise<void> {
  const started = performance.now();
  await delay(quietMs);
  for (;;) {
    const waitedMs = performance.now() - started;
    if (waitedMs >= longestMs + unfinishedMs) return;
    const now = process.hrtime.bigint();
    const isNoisy = window.between(now - BigInt(quietMs) * msNs, now).length > 0;
    const hasWaited = waitedMs >= longestMs;
    // Looked at only where it decides: a flood of events is long.
    if ((!isNoisy || hasWaited) && !isUnfinished(window.between(now - BigInt(longestSilenceMs) * msNs, now), now)) {
      return;
    }
    await delay(quietMs / 2);
  }
}
