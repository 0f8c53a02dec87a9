import { fingerprint } from '../../../base/fingerprint.ts';
import type { Collection, StoreHandle } from '../../../engine/store/contract.ts';
import {
  type ChangeKind,
  entriesDefinition,
  headKey,
  headsDefinition,
  type PinEntry,
  type PinHead,
  serverPrefix,
} from './documents.ts';
import { changeLines } from './lines.ts';

/** What is held back, for the person who decides. */

export interface HeldChange {
  /** Of exactly this change: what a server offers later has another one. */
  readonly id: string;
  readonly server: string;
  readonly subject: string;
  readonly part: string;
  readonly name: string;
  readonly is: ChangeKind;
  readonly at: string;
  /** Old and new, safe to show. */
  readonly lines: readonly string[];
}

export interface PinnedPart {
  readonly server: string;
  readonly subject: string;
  readonly part: string;
  readonly pinnedAt: string;
  readonly entries: readonly { readonly name: string; readonly fingerprint: string; readonly isHeld: boolean }[];
}

export type HeldFilter = (change: HeldChange) => boolean;

function prefixOf(server: string | undefined): { readonly prefix?: string } {
  return server === undefined ? {} : { prefix: serverPrefix(server) };
}

function heldChange({ server, subject, part, name, approved, held }: PinEntry): HeldChange | null {
  if (held === null) return null;
  const id = fingerprint([server, subject, part, name, held.is, held.offered?.fingerprint ?? null]).slice(0, 12);
  const [before, after] = [approved?.fields ?? null, held.offered?.fields ?? null];
  const lines = changeLines({ part, name, is: held.is, before, after });
  return { id, server, subject, part, name, is: held.is, at: held.at, lines };
}

export function listHeld(store: StoreHandle, server?: string): readonly HeldChange[] {
  const found = store.collection(entriesDefinition).list(prefixOf(server));
  return found.flatMap(({ value }) => heldChange(value) ?? []);
}

export function listPinned(store: StoreHandle, server?: string): readonly PinnedPart[] {
  const entries = store.collection(entriesDefinition);
  return store
    .collection(headsDefinition)
    .list(prefixOf(server))
    .map(({ key, value: { server: name, subject, part, pinnedAt } }) => ({
      server: name,
      subject,
      part,
      pinnedAt,
      entries: entries.list({ prefix: `${key}.` }).map(({ value }) => ({
        name: value.name,
        fingerprint: value.approved?.fingerprint ?? value.held?.offered?.fingerprint ?? '',
        isHeld: value.held !== null,
      })),
    }));
}

function approveEntry(entry: PinEntry): PinEntry | null {
  return entry.held?.offered == null ? null : { ...entry, approved: entry.held.offered, held: null };
}

function approvePart(
  heads: Collection<PinHead>,
  entries: Collection<PinEntry>,
  key: string,
  isWanted: HeldFilter,
): readonly HeldChange[] {
  const approved: HeldChange[] = [];
  heads.change(key, (head) => {
    if (head === null) return null;
    for (const { key: each, value } of entries.list({ prefix: `${key}.` })) {
      const change = heldChange(value);
      if (change === null || !isWanted(change)) continue;
      const after = approveEntry(value);
      if (after === null) entries.remove(each);
      else entries.put(each, after);
      approved.push(change);
    }
    return approved.length === 0 ? head : { ...head, changes: head.changes + 1 };
  });
  return approved;
}

/** Approves what is held back as it is held at this moment, and says what that was. Guards that run notice by themselves. */
export function approveHeld(store: StoreHandle, server: string, isWanted: HeldFilter): readonly HeldChange[] {
  const heads = store.collection(headsDefinition);
  const entries = store.collection(entriesDefinition);
  return heads
    .list(prefixOf(server))
    .flatMap(({ value }) => approvePart(heads, entries, headKey(value, value.part), isWanted));
}

/** What the server offers next is taken as if it had never been seen. Returns what was pinned. */
export function forgetPins(store: StoreHandle, server: string, subject?: string): readonly PinnedPart[] {
  const heads = store.collection(headsDefinition);
  const entries = store.collection(entriesDefinition);
  const pinned = listPinned(store, server).filter((part) => subject === undefined || part.subject === subject);
  for (const part of pinned) {
    const key = headKey(part, part.part);
    heads.change(key, () => {
      for (const { key: each } of entries.list({ prefix: `${key}.` })) entries.remove(each);
      return null;
    });
  }
  return pinned;
}

/** Under which names this server is pinned. */
export function pinnedSubjects(store: StoreHandle, server: string): readonly string[] {
  const heads = store.collection(headsDefinition).list(prefixOf(server));
  return [...new Set(heads.map(({ value }) => value.subject))].toSorted();
}
