import { describeError } from '../../../base/errors.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import type { GuardMode, PinCheck, PinPage, ToolPins } from '../contract.ts';
import { openAsks } from './asks.ts';
import type { PinPlace } from './documents.ts';
import { changeLines, cut } from './lines.ts';
import { mostEntries, readOffered } from './offered-entry.ts';
import { type Approved, type Comparison, nothingApproved, PinBook } from './pin-book.ts';

export interface ToolPinsOptions extends PinPlace {
  readonly store: StoreHandle;
  readonly mode: GuardMode;
}

/** What one guard remembers of its own server, so that another guard's server of the same name does not count for it. */
interface Walk {
  /** By key, what this server offers now. */
  readonly offered: Map<string, string>;
  /** Keys of the list that is being walked through; null where its beginning was not seen. */
  seen: Set<string> | null;
  begun: number;
  /** There was more than is kept: what is not known was never looked at. */
  isOverfull: boolean;
}

const wholeList: PinPage = { isFirst: true, isLast: true };
const mostChangesShown = 50;

function asCheck({ isFirst, changes }: Comparison): PinCheck {
  if (changes.length === 0) return { is: isFirst ? 'first' : 'same' };
  const more = changes.length - mostChangesShown;
  return {
    is: 'changed',
    names: [...new Set(changes.filter(({ isOffered }) => isOffered).map(({ name }) => name))],
    lines: cut([
      ...changes.slice(0, mostChangesShown).flatMap(changeLines),
      ...(more > 0 ? [`… ${more} changes more`] : []),
    ]),
  };
}

/** Pins of one server for one session. What it remembers lies in the store, so that it holds for the next one too. */
export function openToolPins({ store, server, subject, mode }: ToolPinsOptions): Required<ToolPins> {
  const book = new PinBook(store, { server, subject });
  const asks = openAsks(store);
  const walks = new Map<string, Walk>();
  const known = new Map<string, Approved>();
  let generation = -1;

  /** Nothing is read again as long as nobody has written anything. */
  const approvedOf = (part: string): Approved => {
    const now = store.generation();
    if (now !== generation) {
      for (const [each, before] of known) known.set(each, book.read(each, before));
      generation = now;
    }
    const before = known.get(part);
    if (before !== undefined) return before;
    const read = book.read(part, nothingApproved);
    known.set(part, read);
    return read;
  };

  const walkOf = (part: string, page: PinPage): Walk => {
    const before = walks.get(part) ?? { offered: new Map(), seen: null, begun: 0, isOverfull: false };
    if (page.isFirst) {
      before.seen = new Set();
      before.begun += 1;
    }
    walks.set(part, before);
    return before;
  };

  const check = (part: string, offered: unknown, page: PinPage): PinCheck => {
    const entries = readOffered(part, offered);
    const keys = entries.map(({ identity }) => book.keyOf(part, identity));
    const walk = walkOf(part, page);
    for (const [at, entry] of entries.entries()) {
      const key = keys[at] ?? '';
      if (walk.offered.size >= mostEntries && !walk.offered.has(key)) walk.isOverfull = true;
      else {
        // Two of one name: whichever is not approved decides.
        const isTwin = walk.seen?.has(key) === true && walk.offered.get(key) !== entry.fingerprint;
        walk.offered.set(key, isTwin ? 'two of one name' : entry.fingerprint);
        walk.seen?.add(key);
      }
    }
    const { fingerprints, held, isOpen, changes } = approvedOf(part);
    const isSame = entries.every((entry, at) => fingerprints.get(keys[at] ?? '') === entry.fingerprint);
    const isWhole = !page.isLast || walk.seen === null || walk.seen.size === fingerprints.size;
    const result: PinCheck =
      changes > 0 && !isOpen && isSame && isWhole && held.size === 0
        ? { is: 'same' }
        : asCheck(book.compare({ part, entries, page, isAgain: walk.begun > 1, seen: walk.seen }, mode));
    if (page.isLast) {
      // What the list no longer names is no longer offered.
      if (walk.seen !== null) for (const key of walk.offered.keys()) if (!walk.seen.has(key)) walk.offered.delete(key);
      walk.seen = null;
    }
    return result;
  };

  return {
    check(part, offered, page = wholeList) {
      try {
        return check(part, offered, page);
      } catch (error) {
        // What cannot be compared is held back, all of it.
        const names = readOffered(part, offered).map(({ name }) => name);
        return { is: 'changed', names, lines: [`what is pinned cannot be read: ${describeError(error)}`] };
      }
    },

    isQuarantined(tool) {
      try {
        const key = book.keyOf('tools', tool);
        const { changes, fingerprints, held } = approvedOf('tools');
        const walk = walks.get('tools');
        if (changes === 0) return false;
        const offered = walk?.offered.get(key);
        if (offered !== undefined) return fingerprints.get(key) !== offered;
        return held.has(key) || walk?.isOverfull === true;
      } catch {
        return true;
      }
    },

    takeAsked: (tool) => asks.take(server, tool),
  };
}
