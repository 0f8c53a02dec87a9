import type { Json } from '../../contract.ts';
import type { ByteView } from '../byte-view.ts';
import { excerpt } from '../draft.ts';
import { pathOf, readIdList } from './id-list.ts';
import { classes, extraBlocks } from './tables.ts';
import { guidText, timeAndCard } from './times.ts';

export interface ExtraData {
  readonly blocks: Readonly<Record<string, Json>>;
  /** Where the link ends: what follows does not belong to it. */
  readonly end: number;
}

const mostBlocks = 64;

function narrowAndWide(view: ByteView, at: number): string {
  return view.cString16(at + 268, 260) || view.cString(at + 8, 260);
}

function tracker(view: ByteView, at: number): Json {
  const droid = (from: number): Json => {
    const file = view.slice(at + from + 16, 16);
    const known = timeAndCard(file);
    return {
      volume: guidText(view.slice(at + from, 16)),
      file: guidText(file),
      ...(known === undefined ? {} : { mac: known.mac, ...(known.time === undefined ? {} : { made: known.time }) }),
    };
  };
  return { machine_id: view.cString(at + 16, 16), droid: droid(32), birth_droid: droid(64) };
}

/** Text values of the property store: which is all that people read there. */
function properties(view: ByteView, at: number, size: number): Json {
  const found: Record<string, Json> = {};
  let store = at + 8;
  for (let stores = 0; stores < 32 && store + 24 <= at + size; stores += 1) {
    const storeSize = view.u32(store);
    if (storeSize < 24 || view.u32(store + 4) !== 0x53505331) break;
    const format = guidText(view.slice(store + 8, 16));
    let value = store + 24;
    for (let values = 0; values < 64 && value + 13 <= store + storeSize; values += 1) {
      const valueSize = view.u32(value);
      if (valueSize < 13) break;
      const type = view.u16(value + 9);
      const key = `${format}/${view.u32(value + 4)}`;
      if (type === 0x1f) found[key] = excerpt(view.cString16(value + 17, Math.min(view.u32(value + 13), 1024)));
      if (type === 0x48) found[key] = guidText(view.slice(value + 13, 16));
      value += valueSize;
    }
    store += storeSize;
  }
  return found;
}

type BlockReader = (view: ByteView, at: number, size: number) => Json;

const folder = (guid: string): string => classes[guid] ?? guid;

const readers: Readonly<Record<string, BlockReader>> = {
  environment: (view, at) => narrowAndWide(view, at),
  icon_environment: (view, at) => narrowAndWide(view, at),
  darwin: (view, at) => narrowAndWide(view, at),
  console: (view, at) => ({
    window_columns: view.u16(at + 16),
    window_rows: view.u16(at + 18),
    face: view.cString16(at + 48, 32),
  }),
  console_codepage: (view, at) => view.u32(at + 8),
  special_folder: (view, at) => view.u32(at + 8),
  known_folder: (view, at) => folder(guidText(view.slice(at + 8, 16))),
  shim: (view, at, size) => view.cString16(at + 8, (size - 8) >> 1),
  tracker,
  property_store: properties,
  id_list: (view, at, size) => pathOf(readIdList(view, at + 8, size - 8)),
};

export function readExtraData(view: ByteView, from: number): ExtraData {
  const blocks: Record<string, Json> = {};
  let at = from;
  for (let count = 0; count < mostBlocks; count += 1) {
    const size = view.u32(at);
    if (size < 4) return { blocks, end: Math.min(view.length, at + 4) };
    if (size < 8 || at + size > view.length) break;
    const signature = view.u32(at + 4);
    const name = extraBlocks[signature] ?? `block_${signature.toString(16)}`;
    const value = readers[name]?.(view, at, size) ?? size;
    blocks[name] = typeof value === 'string' ? excerpt(value) : value;
    at += size;
  }
  return { blocks, end: Math.min(at, view.length) };
}
