import { minuteMs } from '../../../base/limits.ts';
import type { Collection, StoreHandle } from '../../../engine/store/contract.ts';
import type { GuardMode, PinPage } from '../contract.ts';
import {
  type EntryVersion,
  entriesDefinition,
  entryKey,
  headKey,
  headsDefinition,
  type PinEntry,
  type PinHead,
  type PinPlace,
} from './documents.ts';
import type { ShownChange } from './lines.ts';
import { mostEntries, type OfferedEntry } from './offered-entry.ts';

/** Pins in the store: what is offered is compared and written down in one transaction, whoever else does the same. */

const longestName = 500;
/** For all pages of the first list to be asked for. */
const openMs = minuteMs;

/** What was found about one page. */
export interface Comparison {
  readonly isFirst: boolean;
  readonly changes: readonly (ShownChange & { readonly isOffered: boolean })[];
}

/** What somebody has approved of one part. */
export interface Approved {
  /** Of the head; 0 where nothing is pinned. */
  readonly changes: number;
  readonly isOpen: boolean;
  /** By key of the entry; null for what nobody approved. */
  readonly fingerprints: ReadonlyMap<string, string | null>;
  readonly held: ReadonlySet<string>;
}

export const nothingApproved: Approved = { changes: 0, isOpen: false, fingerprints: new Map(), held: new Set() };

export interface OfferedPage {
  readonly part: string;
  readonly entries: readonly OfferedEntry[];
  readonly page: PinPage;
  /** The list was begun before in this session: what is new in it now is no part of the first one. */
  readonly isAgain: boolean;
  /** Keys of everything that this list has named so far, this page included; null where its beginning was not seen. */
  readonly seen: ReadonlySet<string> | null;
}

const mostKeys = 2000;

export class PinBook {
  readonly #keys = new Map<string, string>();
  readonly place: PinPlace;
  readonly #heads: Collection<PinHead>;
  readonly #entries: Collection<PinEntry>;

  constructor(store: StoreHandle, place: PinPlace) {
    this.place = place;
    this.#heads = store.collection(headsDefinition);
    this.#entries = store.collection(entriesDefinition);
  }

  keyOf(part: string, identity: string): string {
    const name = `${part}\0${identity}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = entryKey(headKey(this.place, part), identity);
    // Every call asks for the key of its tool again.
    if (this.#keys.size >= mostKeys) this.#keys.clear();
    this.#keys.set(name, key);
    return key;
  }

  /** The same object again where nothing has changed since. */
  read(part: string, known: Approved): Approved {
    const key = headKey(this.place, part);
    const head = this.#heads.get(key);
    if (head === null) return nothingApproved;
    if (head.value.changes === known.changes) return known;
    const entries = this.#entries.list({ prefix: `${key}.` });
    return {
      changes: head.value.changes,
      isOpen: head.value.openUntil !== null,
      fingerprints: new Map(entries.map(({ key: each, value }) => [each, value.approved?.fingerprint ?? null])),
      held: new Set(entries.filter(({ value }) => value.held !== null).map(({ key: each }) => each)),
    };
  }

  /** Pins what is new in a first list, and holds back whatever differs from what is pinned. */
  compare(offered: OfferedPage, mode: GuardMode): Comparison {
    const { part, page } = offered;
    const key = headKey(this.place, part);
    const at = new Date();
    let found: Comparison = { isFirst: false, changes: [] };
    this.#heads.change(key, (before) => {
      const isOpen =
        before === null || (before.openUntil !== null && before.openUntil > at.toISOString() && !offered.isAgain);
      const writer = new PageWriter(this.#entries, { ...this.place, part }, key, at, mode);
      found = { isFirst: isOpen, changes: writer.write(offered, isOpen) };
      const until = before === null ? new Date(at.getTime() + openMs).toISOString() : before.openUntil;
      const openUntil = isOpen && !page.isLast ? until : null;
      if (before !== null && writer.writes === 0 && openUntil === before.openUntil) return before;
      const pinnedAt = before?.pinnedAt ?? at.toISOString();
      return { ...this.place, part, changes: (before?.changes ?? at.getTime()) + 1, openUntil, pinnedAt };
    });
    return found;
  }
}

type Place = PinPlace & { readonly part: string };
type Change = Comparison['changes'][number];

/** One page on its way into the store. */
class PageWriter {
  readonly #entries: Collection<PinEntry>;
  readonly #place: Place;
  readonly #head: string;
  readonly #at: string;
  readonly #mode: GuardMode;
  writes = 0;

  constructor(entries: Collection<PinEntry>, place: Place, head: string, at: Date, mode: GuardMode) {
    this.#entries = entries;
    this.#place = place;
    this.#head = head;
    this.#at = at.toISOString();
    this.#mode = mode;
  }

  write({ entries, page, seen }: OfferedPage, isOpen: boolean): readonly Change[] {
    const known = new Map(this.#entries.list({ prefix: `${this.#head}.` }).map(({ key, value }) => [key, value]));
    let room = mostEntries - known.size;
    const changes = entries.flatMap((entry): Change[] => {
      const key = entryKey(this.#head, entry.identity);
      const before = known.get(key) ?? null;
      if (before === null && room <= 0) return [this.#change(entry.name, 'added', null, entry)];
      if (before === null) room -= 1;
      const [after, change] = this.#judge(entry, before, isOpen);
      known.set(key, after);
      if (after !== before) this.#put(key, after);
      return change === null ? [] : [change];
    });
    if (!page.isLast || seen === null) return changes;
    return [...changes, ...[...known].flatMap(([key, entry]) => (seen.has(key) ? [] : this.#missing(key, entry)))];
  }

  #put(key: string, entry: PinEntry): void {
    this.#entries.put(key, entry);
    this.writes += 1;
  }

  #judge(offered: OfferedEntry, before: PinEntry | null, isOpen: boolean): readonly [PinEntry, Change | null] {
    const { name, fingerprint, fields } = offered;
    const version: EntryVersion = { fingerprint, fields, at: this.#at };
    const entry: PinEntry = before ?? {
      ...this.#place,
      name: name.slice(0, longestName).toWellFormed(),
      approved: null,
      held: null,
    };
    // Two of one name in a first list are one thing said in two ways: the second is held back like any change.
    if (before === null && isOpen) return [{ ...entry, approved: version }, null];
    if (entry.approved?.fingerprint === fingerprint) {
      return [entry.held === null ? entry : { ...entry, held: null }, null];
    }
    const is = entry.approved === null ? 'added' : 'changed';
    const change = this.#change(name, is, entry.approved, version);
    if (entry.held?.offered?.fingerprint === fingerprint) return [entry, change];
    return [{ ...entry, held: { is, offered: version, at: this.#at, mode: this.#mode } }, change];
  }

  #change(
    name: string,
    is: Change['is'],
    before: Pick<EntryVersion, 'fields'> | null,
    after: Pick<EntryVersion, 'fields'> | null,
  ): Change {
    const { part } = this.#place;
    return { part, name, is, before: before?.fields ?? null, after: after?.fields ?? null, isOffered: after !== null };
  }

  /** It was pinned, and the list has come to its end without it. */
  #missing(key: string, entry: PinEntry): readonly Change[] {
    if (entry.approved === null) {
      // Held back, and withdrawn before anybody approved it: there is nothing left to decide on.
      this.#entries.remove(key);
      this.writes += 1;
      return [];
    }
    const change = this.#change(entry.name, 'removed', entry.approved, null);
    if (entry.held?.is !== 'removed') {
      this.#put(key, { ...entry, held: { is: 'removed', offered: null, at: this.#at, mode: this.#mode } });
    }
    return [change];
  }
}
