import type { ByteView } from '../byte-view.ts';
import { classes } from './tables.ts';
import { dosTime, guidText } from './times.ts';

export interface ShellItem {
  readonly type: string;
  readonly name: string;
  readonly size?: number;
  readonly modified?: string;
  readonly created?: string;
}

const mostItems = 128;

/** The block that holds the long name of a file. */
function longName(view: ByteView, from: number, end: number): { name: string; created?: string } | undefined {
  for (let at = from; at + 8 <= end; at += 1) {
    if (view.u32(at + 4) !== 0xbeef0004) continue;
    const version = view.u16(at + 2);
    const created = dosTime(view.u16(at + 8), view.u16(at + 10));
    const start = at + (version >= 9 ? 46 : version >= 8 ? 42 : version >= 7 ? 38 : 20);
    const name = view.cString16(start, Math.max(0, (end - start) >> 1));
    return created === undefined ? { name } : { name, created };
  }
  return undefined;
}

function className(view: ByteView, at: number): string {
  const guid = guidText(view.slice(at, 16));
  return classes[guid] ?? guid;
}

function fileItem(view: ByteView, at: number, end: number, type: number): ShellItem {
  const wide = (type & 0x04) !== 0;
  const short = wide ? view.cString16(at + 14, (end - at - 14) >> 1) : view.cString(at + 14, end - at - 14);
  const long = longName(view, at + 14, end);
  const modified = dosTime(view.u16(at + 8), view.u16(at + 10));
  return {
    type: (type & 1) !== 0 ? 'folder' : 'file',
    name: long?.name || short,
    size: view.u32(at + 4),
    ...(modified === undefined ? {} : { modified }),
    ...(long?.created === undefined ? {} : { created: long.created }),
  };
}

function readItem(view: ByteView, at: number, size: number): ShellItem {
  const type = view.u8(at + 2);
  const end = at + size;
  const group = type & 0x70;
  if (type === 0x1f) return { type: 'root', name: className(view, at + 4) };
  if (type === 0x2e) return { type: 'root', name: className(view, at + 4) };
  if (group === 0x20) return { type: 'volume', name: view.cString(at + 3, size - 3) };
  if (group === 0x30) return fileItem(view, at, end, type);
  if (group === 0x40) return { type: 'network', name: view.cString(at + 5, size - 5) };
  if (type === 0x61) return { type: 'uri', name: uriOf(view, at, end) };
  if (type === 0x71) return { type: 'control panel', name: className(view, at + 14) };
  return { type: `item 0x${type.toString(16)}`, name: longName(view, at + 3, end)?.name ?? '' };
}

function uriOf(view: ByteView, at: number, end: number): string {
  const wide = (view.u8(at + 3) & 0x80) !== 0;
  const from = at + 6 + view.u16(at + 4);
  const here = wide ? view.cString16(from, (end - from) >> 1) : view.cString(from, end - from);
  return here || view.cString16(at + 8, (end - at - 8) >> 1);
}

export function readIdList(view: ByteView, from: number, length: number): ShellItem[] {
  const items: ShellItem[] = [];
  const end = Math.min(from + length, view.length);
  for (let at = from; at + 2 <= end && items.length < mostItems; ) {
    const size = view.u16(at);
    if (size < 3 || at + size > end) break;
    items.push(readItem(view, at, size));
    at += size;
  }
  return items;
}

export function pathOf(items: readonly ShellItem[]): string {
  return items
    .filter(({ type, name }) => name !== '' && type !== 'root')
    .map(({ name }) => name.replace(/\\$/, ''))
    .join('\\');
}
