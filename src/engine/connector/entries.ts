import type { EntryType, PlaceEntry } from './contract.ts';

/** Reads what the scripts say of entries. Bytes are kept as single characters until a name is told. */

const typeBits = 0o170000;
const typeByBits: ReadonlyMap<number, EntryType> = new Map([
  [0o100000, 'file'],
  [0o040000, 'folder'],
  [0o120000, 'link'],
]);

export function readType(mode: number): EntryType {
  return typeByBits.get(mode & typeBits) ?? 'other';
}

function toText(binary: string): string {
  return Buffer.from(binary, 'latin1').toString('utf8');
}

export function toBinary(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function readTargets(binary: string): ReadonlyMap<string, string> {
  const fields = binary.split('\0');
  const targets = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) targets.set(fields[at] ?? '', fields[at + 1] ?? '');
  return targets;
}

/**
 * One line for each name, in their order, with the name at the end. A name may hold new lines and anything that looks like
 * a line of its own, so the next line is found by the name that it has to end with; what has vanished meanwhile has none.
 */
export function readDescribed(binary: string, names: readonly string[]): readonly PlaceEntry[] {
  const cut = binary.indexOf('\0');
  const lines = binary.slice(0, Math.max(0, cut));
  const targets = readTargets(binary.slice(cut + 1));
  const figures = /([0-9a-f]{1,8}) (\d{1,19}) (-?\d{1,15}) /y;
  const entries: PlaceEntry[] = [];
  let at = 0;
  for (const name of names) {
    figures.lastIndex = at;
    const found = figures.exec(lines);
    if (found === null || !lines.startsWith(`${name}\n`, figures.lastIndex)) continue;
    at = figures.lastIndex + name.length + 1;
    const mode = Number.parseInt(found[1] ?? '', 16);
    const target = targets.get(name);
    entries.push({
      name: toText(name),
      type: readType(mode),
      sizeBytes: Number(found[2]),
      mode: mode & 0o7777,
      changedAt: readTime(Number(found[3]) * 1000),
      ...(target === undefined ? {} : { linkTarget: toText(target) }),
    });
  }
  return entries;
}

/** A time that no calendar has, which a file can carry, is its beginning. */
export function readTime(ms: number): string {
  const time = new Date(ms);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}

/** By the bytes of the names: the same order in every place. */
export function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export interface Listing {
  readonly names: readonly string[];
  /** Undefined where there were too many to describe at once. */
  readonly described: string | undefined;
}

export function readListing(binary: string): Listing | undefined {
  const head = 'names\0';
  if (!binary.startsWith(head)) return undefined;
  // No name is empty, so two zero bytes in a row are the end; with no names at all the one after the head is.
  const isEmpty = binary[head.length] === '\0';
  const end = isEmpty ? head.length : binary.indexOf('\0\0', head.length);
  if (end === -1) return undefined;
  const names = isEmpty ? [] : binary.slice(head.length, end).split('\0');
  const described = binary.slice(isEmpty ? end + 1 : end + 2);
  return { names, described: described === '' ? undefined : described };
}
