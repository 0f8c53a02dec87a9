import { type ByteView, makeByteView } from '../byte-view.ts';

/** The binary XML of Android, as far as manifests need it. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
}

/** Names by their fixed ids: protectors empty the texts, the system goes by the ids. */
const knownIds: Readonly<Record<number, string>> = {
  16842755: 'name',
  16842758: 'permission',
  16842767: 'debuggable',
  16842768: 'exported',
  16842776: 'authorities',
  16843276: 'minSdkVersion',
  16843291: 'versionCode',
  16843292: 'versionName',
  16843376: 'targetSdkVersion',
  16843392: 'allowBackup',
  16844012: 'usesCleartextTraffic',
};

const limits = { strings: 100_000, chunks: 200_000, attributes: 500, depth: 100, text: 32_768 };

function readStrings(view: ByteView, at: number): string[] {
  const count = Math.min(view.u32(at + 8), limits.strings);
  const utf8 = (view.u32(at + 16) & 0x100) !== 0;
  const start = at + view.u32(at + 20);
  const strings: string[] = [];
  let budget = view.length * 4 + 100_000;
  for (let index = 0; index < count && view.fits(at + 28 + index * 4, 4) && budget > 0; index += 1) {
    let from = start + view.u32(at + 28 + index * 4);
    if (utf8) {
      from += (view.u8(from) & 0x80) !== 0 ? 2 : 1;
      const long = (view.u8(from) & 0x80) !== 0;
      const length = long ? ((view.u8(from) & 0x7f) << 8) | view.u8(from + 1) : view.u8(from);
      strings.push(view.utf8(from + (long ? 2 : 1), length));
    } else {
      const long = (view.u16(from) & 0x8000) !== 0;
      const length = long ? ((view.u16(from) & 0x7fff) << 16) | view.u16(from + 2) : view.u16(from);
      strings.push(view.utf16(from + (long ? 4 : 2), Math.min(length, limits.text) * 2));
    }
    budget -= (strings[strings.length - 1]?.length ?? 0) + 1;
  }
  return strings;
}

function valueText(type: number, data: number, strings: readonly string[]): string {
  if (type === 0x03) return strings[data] ?? '';
  if (type === 0x12) return data === 0 ? 'false' : 'true';
  if (type === 0x10) return String(data | 0);
  if (type === 0x11) return `0x${data.toString(16)}`;
  return type === 0x01 ? `@0x${data.toString(16).padStart(8, '0')}` : String(data);
}

export function readBinaryXml(bytes: Uint8Array, tick: () => void): { root?: XmlElement; notes: string[] } {
  const view = makeByteView(bytes, true);
  const notes: string[] = [];
  if (view.u16(0) !== 3) return { notes: ['the manifest is not binary XML'] };
  let strings: string[] = [];
  let ids: number[] = [];
  let root: XmlElement | undefined;
  const open: XmlElement[] = [];
  let at = view.u16(2) || 8;
  for (let chunk = 0; chunk < limits.chunks && view.fits(at, 8); chunk += 1) {
    if (chunk % 1000 === 0) tick();
    const type = view.u16(at);
    const size = view.u32(at + 4);
    if (size < 8) {
      notes.push(`a chunk at offset ${at} has no length`);
      break;
    }
    if (type === 0x0001 && strings.length === 0) strings = readStrings(view, at);
    else if (type === 0x0180) {
      const count = Math.min((size - 8) >> 2, limits.strings, (view.length - at) >> 2);
      ids = Array.from({ length: Math.max(0, count) }, (_, index) => view.u32(at + 8 + index * 4));
    } else if (type === 0x0102) {
      const element = readElement(view, at, strings, ids);
      const parent = open[open.length - 1];
      if (parent !== undefined) parent.children.push(element);
      root ??= element;
      if (open.length < limits.depth) open.push(element);
    } else if (type === 0x0103) open.pop();
    at += size;
  }
  return root === undefined ? { notes: [...notes, 'the manifest has no element'] } : { root, notes };
}

function readElement(view: ByteView, at: number, strings: readonly string[], ids: readonly number[]): XmlElement {
  const attributes = new Map<string, string>();
  const start = at + 16 + view.u16(at + 24);
  const size = Math.max(20, view.u16(at + 26));
  const count = Math.min(view.u16(at + 28), limits.attributes);
  for (let index = 0; index < count && view.fits(start + index * size, 20); index += 1) {
    const here = start + index * size;
    const nameIndex = view.u32(here + 4);
    const id = ids[nameIndex];
    const name = (id === undefined ? undefined : knownIds[id]) ?? strings[nameIndex] ?? '';
    attributes.set(name, valueText(view.u8(here + 15), view.u32(here + 16), strings));
  }
  return { name: strings[view.u32(at + 20)] ?? '', attributes, children: [] };
}
