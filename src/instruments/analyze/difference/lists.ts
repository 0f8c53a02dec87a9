import type { UntrustedJson } from '../../../base/event-schema.ts';
import { forJson, untrusted } from '../../../base/untrusted.ts';

/** Sets of things that two runs saw: which are only in one of them, in one order and with a cap. */

export const mostEntries = 500;

/** Counts what a cap left out, by the name of the list. */
export type LeaveOut = (list: string, count: number) => void;

/** Bytes that a target chose, as one text to compare by. Text and base64 never fall together. */
export function keyOf(value: UntrustedJson): string {
  return 'text' in value ? `text:${value.text}` : `base64:${value.base64}`;
}

export function asText(value: UntrustedJson): string {
  return 'text' in value ? value.text : Buffer.from(value.base64, 'base64').toString('latin1');
}

export function asBytes(text: string, capBytes = 4096): UntrustedJson {
  const kept = untrusted(text, capBytes);
  return kept.droppedBytes > 0 ? { ...forJson(kept), droppedBytes: kept.droppedBytes } : forJson(kept);
}

export function byKey<T>(entries: readonly T[], key: (entry: T) => string): Map<string, T> {
  const found = new Map<string, T>();
  // The first of two with one key stands: lists of a report begin with what came first.
  for (const entry of entries) if (!found.has(key(entry))) found.set(key(entry), entry);
  return found;
}

export function inOrder(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export function cut<T>(entries: readonly T[], list: string, leaveOut: LeaveOut): T[] {
  if (entries.length > mostEntries) leaveOut(list, entries.length - mostEntries);
  return entries.slice(0, mostEntries);
}

/** What only the second has. */
export function onlyIn<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): T[] {
  return [...after]
    .filter(([key]) => !before.has(key))
    .toSorted(([left], [right]) => inOrder(left, right))
    .map(([, entry]) => entry);
}
