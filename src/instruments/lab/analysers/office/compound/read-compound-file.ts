import { cut, fileTimeAt, guidAt, isCompound, u16, u32, utf16 } from '../bytes.ts';
import { chainFrom, readTables, type SectorTables } from './sector-tables.ts';

/** The file system inside OLE2 files: Office documents, messages, installers. Loops and lies end in notes. */

export interface CompoundEntry {
  /** Names from below the root, joined with slashes. */
  readonly path: string;
  readonly name: string;
  readonly type: 'root' | 'storage' | 'stream';
  /** As the directory says. */
  readonly size: number;
  readonly clsid: string;
  readonly created: string | null;
  readonly modified: string | null;
  /** Stands in the directory, but in no storage. */
  readonly isOrphan: boolean;
  readonly start: number;
}

export interface CompoundFile {
  readonly version: number;
  readonly sectorSize: number;
  readonly entries: readonly CompoundEntry[];
  readonly notes: readonly string[];
  /** Where the file ends by its own tables; what lies behind it is an overlay. */
  readonly usedBytes: number;
  /** Without regard to case, as Windows looks. */
  find(path: string): CompoundEntry | undefined;
  /** The bytes of a stream as far as they are there. */
  read(entry: CompoundEntry): Uint8Array;
  /** Pieces of the file in which a stream lies, in order. */
  pieces(entry: CompoundEntry): readonly { readonly at: number; readonly length: number }[];
}

const maximalEntries = 20_000;
const maximalDepth = 64;
const noStream = 0xffffffff;
const zeroClsid = '00000000-0000-0000-0000-000000000000';

interface RawEntry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly at: number;
  readonly start: number;
  readonly size: number;
}

function readRawEntries(directory: Uint8Array, isSmall: boolean, tick: () => void): RawEntry[] {
  const entries: RawEntry[] = [];
  const count = Math.min(Math.floor(directory.length / 128), maximalEntries);
  for (let index = 0; index < count; index += 1) {
    if (index % 1024 === 0) tick();
    const at = index * 128;
    const nameBytes = Math.min(u16(directory, at + 64), 64);
    entries.push({
      name: utf16(cut(directory, at, Math.max(nameBytes - 2, 0))),
      type: directory[at + 66] ?? 0,
      left: u32(directory, at + 68),
      right: u32(directory, at + 72),
      child: u32(directory, at + 76),
      at,
      start: u32(directory, at + 116),
      // Version 3 leaves the upper half undefined.
      size: u32(directory, at + 120) + (isSmall ? 0 : u32(directory, at + 124) * 0x1_0000_0000),
    });
  }
  return entries;
}

/** Paths of all entries that hang in the tree; each entry is taken once, so no loop turns twice. */
function walkTree(raw: readonly RawEntry[], tick: () => void, notes: string[]): Map<number, string> {
  const paths = new Map<number, string>([[0, '']]);
  const todo: { index: number; parent: string; depth: number }[] = [];
  const push = (index: number, parent: string, depth: number): void => {
    if (index !== noStream && index < raw.length) todo.push({ index, parent, depth });
    else if (index !== noStream && index !== 0) notes.push('a directory entry points behind the directory');
  };
  push(raw[0]?.child ?? noStream, '', 0);
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    tick();
    const entry = raw[next.index];
    if (entry === undefined) continue;
    if (paths.has(next.index)) {
      notes.push('the directory has a loop');
      continue;
    }
    const path = next.parent === '' ? entry.name : `${next.parent}/${entry.name}`;
    paths.set(next.index, path.slice(0, 2048));
    push(entry.left, next.parent, next.depth);
    push(entry.right, next.parent, next.depth);
    if (entry.type === 1 && next.depth < maximalDepth) push(entry.child, path.slice(0, 2048), next.depth + 1);
  }
  return paths;
}

const types = { 1: 'storage', 2: 'stream', 5: 'root' } as const;

function describe(raw: RawEntry, index: number, directory: Uint8Array, path: string | undefined): CompoundEntry | null {
  const type = types[raw.type as keyof typeof types];
  if (type === undefined) return null;
  const clsid = guidAt(directory, raw.at + 80);
  return {
    path: path ?? raw.name,
    name: raw.name,
    type: index === 0 ? 'root' : type === 'root' ? 'storage' : type,
    size: raw.size,
    clsid: clsid === zeroClsid ? '' : clsid,
    created: fileTimeAt(directory, raw.at + 100),
    modified: fileTimeAt(directory, raw.at + 108),
    isOrphan: path === undefined,
    start: raw.start,
  };
}

interface Places {
  readonly bytes: Uint8Array;
  readonly tables: SectorTables;
  readonly rootStart: number;
  readonly miniCutoff: number;
}

type Piece = { at: number; length: number };

function piecesOf(places: Places, entry: CompoundEntry, miniSectors: readonly number[], tick: () => void): Piece[] {
  const { bytes, tables, miniCutoff } = places;
  const size = Math.min(entry.size, bytes.length);
  const pieces: Piece[] = [];
  let left = size;
  const add = (at: number, length: number): void => {
    const inside = Math.min(length, left, Math.max(bytes.length - at, 0));
    if (inside <= 0) return;
    const last = pieces.at(-1);
    if (last !== undefined && last.at + last.length === at) last.length += inside;
    else pieces.push({ at, length: inside });
    left -= inside;
  };
  if (entry.size < miniCutoff && entry.type === 'stream') {
    const perSector = tables.sectorSize / 64;
    const chain = chainFrom(tables.miniFat, entry.start, Math.ceil(size / 64), tick);
    for (const mini of chain) {
      const sector = miniSectors[Math.floor(mini / perSector)];
      if (sector === undefined) break;
      add((sector + 1) * tables.sectorSize + (mini % perSector) * 64, 64);
    }
    return pieces;
  }
  for (const sector of chainFrom(tables.fat, entry.start, Math.ceil(size / tables.sectorSize), tick)) {
    add((sector + 1) * tables.sectorSize, tables.sectorSize);
  }
  return pieces;
}

/** Null when it does not begin as a compound file does. */
export function readCompoundFile(bytes: Uint8Array, tick: () => void): CompoundFile | null {
  if (!isCompound(bytes) || bytes.length < 512) return null;
  const notes: string[] = [];
  const tables = readTables(bytes, tick, notes);
  const directorySectors = chainFrom(tables.fat, u32(bytes, 48), maximalEntries, tick);
  const directory = Buffer.concat(
    directorySectors.map((sector) => cut(bytes, (sector + 1) * tables.sectorSize, tables.sectorSize)),
  );
  const raw = readRawEntries(directory, tables.sectorSize === 512, tick);
  if (raw.length === maximalEntries) notes.push('the directory is longer than is read');
  if (raw.length === 0) notes.push('the directory could not be found');
  const paths = walkTree(raw, tick, notes);
  const entries = raw
    .map((entry, index) => describe(entry, index, directory, paths.get(index)))
    .filter((entry) => entry !== null);

  const rootStart = raw[0]?.start ?? noStream;
  const places: Places = { bytes, tables, rootStart, miniCutoff: 4096 };
  const miniSectors = chainFrom(tables.fat, rootStart, Math.ceil(bytes.length / tables.sectorSize), tick);
  const cache = new Map<CompoundEntry, Uint8Array>();
  // Thousands of entries can share one chain: what is read in all stays in proportion to the file.
  let budget = bytes.length * 4 + 1024 * 1024;
  const byPath = new Map<string, CompoundEntry>();
  for (const entry of entries)
    if (!entry.isOrphan && !byPath.has(entry.path.toLowerCase())) byPath.set(entry.path.toLowerCase(), entry);

  return {
    version: u16(bytes, 26),
    sectorSize: tables.sectorSize,
    entries,
    notes: [...new Set(notes)],
    usedBytes: (tables.lastUsed + 2) * tables.sectorSize,
    find: (path) => byPath.get(path.toLowerCase()),
    pieces: (entry) => piecesOf(places, entry, miniSectors, tick),
    read(entry) {
      if (entry.type !== 'stream') return new Uint8Array();
      const known = cache.get(entry);
      if (known !== undefined) return known;
      const pieces = piecesOf(places, entry, miniSectors, tick);
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      budget -= length + 64;
      const content =
        budget < 0 ? new Uint8Array() : Buffer.concat(pieces.map((piece) => cut(bytes, piece.at, piece.length)));
      cache.set(entry, content);
      return content;
    },
  };
}
