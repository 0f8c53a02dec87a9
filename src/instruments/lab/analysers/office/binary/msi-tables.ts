import { cut, u8, u16, u32 } from '../bytes.ts';
import { decodePage } from '../vba/code-pages.ts';

/** The database in an installer package: a pool of strings, and tables stored column by column. */

export interface MsiStreams {
  /** The content of a table's stream. */
  table(name: string): Uint8Array;
}

type Cell = string | number;

interface Column {
  readonly name: string;
  readonly type: number;
}

const maximalStrings = 200_000;
const maximalRows = 5000;
const stringFlag = 0x0800;

interface Strings {
  readonly values: readonly string[];
  readonly indexBytes: 2 | 3;
}

export function readStrings(streams: MsiStreams, tick: () => void): Strings {
  const pool = streams.table('_StringPool');
  const data = streams.table('_StringData');
  const head = u32(pool, 0);
  const codePage = head & 0xffff;
  const values: string[] = [''];
  let from = 0;
  for (let at = 4; at + 4 <= pool.length && values.length < maximalStrings; at += 4) {
    if (at % 4096 === 0) tick();
    let length = u16(pool, at);
    const uses = u16(pool, at + 2);
    if (length === 0 && uses !== 0) {
      // Longer than sixteen bits: the next entry has the length.
      at += 4;
      length = u16(pool, at) + u16(pool, at + 2) * 0x10000;
    }
    values.push(decodePage(cut(data, from, Math.min(length, 65_536)), codePage));
    from += length;
  }
  return { values, indexBytes: head & 0x80000000 ? 3 : 2 };
}

/** A column of streams holds no text, though it is marked as one. */
function isBinary(type: number): boolean {
  return (type & ~0x1000) === 0x0900;
}

function isText(type: number): boolean {
  return (type & stringFlag) !== 0 && !isBinary(type);
}

function widthOf(type: number, strings: Strings): number {
  if (isText(type)) return strings.indexBytes;
  return !isBinary(type) && (type & 0xff) === 4 ? 4 : 2;
}

function cellAt(data: Uint8Array, at: number, type: number, width: number, strings: Strings): Cell {
  const raw = width === 3 ? u16(data, at) + u8(data, at + 2) * 0x10000 : width === 4 ? u32(data, at) : u16(data, at);
  if (isText(type)) return strings.values[raw] ?? '';
  if (raw === 0) return '';
  return width === 4 ? (raw ^ 0x80000000) | 0 : raw - 0x8000;
}

function readRows(data: Uint8Array, columns: readonly Column[], strings: Strings, tick: () => void): Cell[][] {
  const widths = columns.map(({ type }) => widthOf(type, strings));
  const rowBytes = widths.reduce((sum, width) => sum + width, 0);
  if (rowBytes === 0) return [];
  const count = Math.floor(data.length / rowBytes);
  const rows: Cell[][] = [];
  for (let row = 0; row < Math.min(count, maximalRows); row += 1) {
    if (row % 256 === 0) tick();
    let columnAt = 0;
    rows.push(
      columns.map(({ type }, index) => {
        const width = widths[index] ?? 2;
        const at = columnAt * count + row * width;
        columnAt += width;
        return cellAt(data, at, type, width, strings);
      }),
    );
  }
  return rows;
}

const columnsTable: readonly Column[] = [
  { name: 'Table', type: stringFlag | 64 },
  { name: 'Number', type: 2 },
  { name: 'Name', type: stringFlag | 64 },
  { name: 'Type', type: 2 },
];

export interface MsiDatabase {
  readonly tables: readonly string[];
  rows(table: string): readonly Readonly<Record<string, Cell>>[];
}

export function readDatabase(streams: MsiStreams, tick: () => void): MsiDatabase {
  const strings = readStrings(streams, tick);
  const columns = new Map<string, { number: number; column: Column }[]>();
  for (const [table, number, name, type] of readRows(streams.table('_Columns'), columnsTable, strings, tick)) {
    const own = columns.get(String(table)) ?? [];
    if (own.length < 64)
      own.push({ number: Number(number), column: { name: String(name), type: Number(type) & 0xffff } });
    columns.set(String(table), own);
  }
  return {
    tables: [...columns.keys()],
    rows(table) {
      const own = (columns.get(table) ?? [])
        .toSorted((left, right) => left.number - right.number)
        .map(({ column }) => column);
      return readRows(streams.table(table), own, strings, tick).map((row) =>
        Object.fromEntries(own.map(({ name }, index) => [name, row[index] ?? ''])),
      );
    },
  };
}
