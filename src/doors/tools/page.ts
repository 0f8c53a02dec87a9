import { UsageError } from '../../base/errors.ts';

/** A list in pieces that fit into an answer. A cursor is a position, written down; nothing is kept between calls. */

export interface Page<T> {
  readonly entries: readonly T[];
  readonly total: number;
  /** What to ask for next; null at the end. */
  readonly cursor: string | null;
}

export interface PageWish {
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** At least one entry is on a page, whatever its size. */
  readonly mostBytes: number;
}

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,12}$/.test(cursor)) return Number(cursor);
  throw new UsageError(`cursor: ${JSON.stringify(cursor.slice(0, 64))} is none`, {
    hint: 'take it from the answer before, or leave it out to begin',
  });
}

export function sizeOf(entry: unknown): number {
  return Buffer.byteLength(JSON.stringify(entry) ?? '');
}

/** `show` is asked for the entries of this page alone. */
export function pageOf<From, To>(all: readonly From[], wish: PageWish, show: (entry: From) => To): Page<To> {
  const from = Math.min(readCursor(wish.cursor), all.length);
  const entries: To[] = [];
  let size = 0;
  for (const entry of all.slice(from, from + wish.limit)) {
    const shown = show(entry);
    size += sizeOf(shown) + 1;
    if (entries.length > 0 && size > wish.mostBytes) break;
    entries.push(shown);
  }
  const next = from + entries.length;
  return { entries, total: all.length, cursor: next < all.length ? String(next) : null };
}
