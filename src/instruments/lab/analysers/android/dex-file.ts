import { makeByteView } from '../byte-view.ts';

/** Dalvik code: its texts, its classes and the methods that it calls. */
export interface DexFile {
  readonly version: string;
  readonly declaredSize: number;
  readonly strings: readonly string[];
  readonly totalStrings: number;
  /** Classes that are defined in it, with dots. */
  readonly classes: readonly string[];
  readonly totalClasses: number;
  /** `android.telephony.SmsManager.sendTextMessage`. */
  readonly references: readonly string[];
  readonly checksumMatches: boolean;
  readonly notes: readonly string[];
}

const limits = { strings: 200_000, classes: 50_000, methods: 150_000, text: 8192, allText: 24_000_000 };

export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 3800, bytes.length);
    for (; at < end; at += 1) {
      low += bytes[at] ?? 0;
      high += low;
    }
    low %= 65_521;
    high %= 65_521;
  }
  return ((high << 16) | low) >>> 0;
}

function className(descriptor: string): string {
  const plain = descriptor.replace(/^\[+/, '');
  return plain.startsWith('L') && plain.endsWith(';') ? plain.slice(1, -1).replaceAll('/', '.') : plain;
}

export function readDex(bytes: Uint8Array, tick: () => void): DexFile | undefined {
  const view = makeByteView(bytes, true);
  const version = /^dex\n(\d{3})\0/.exec(view.latin1(0, 8))?.[1];
  if (version === undefined) return undefined;
  const notes: string[] = [];
  const table = (at: number): { size: number; offset: number } => ({ size: view.u32(at), offset: view.u32(at + 4) });
  const [stringTable, typeTable, methodTable, classTable] = [table(56), table(64), table(88), table(96)];
  const count = (size: number, width: number, offset: number, most: number): number => {
    const possible = Math.max(0, Math.floor((view.length - offset) / width));
    if (size > possible) notes.push('a table is larger than the file');
    return Math.min(size, possible, most);
  };
  const strings: string[] = [];
  let left = limits.allText;
  const stringCount = count(stringTable.size, 4, stringTable.offset, limits.strings);
  for (let index = 0; index < stringCount && left > 0; index += 1) {
    if (index % 4000 === 0) tick();
    let at = view.u32(stringTable.offset + index * 4);
    for (let length = 0; length < 5 && (view.u8(at) & 0x80) !== 0; length += 1) at += 1;
    at += 1;
    const window = view.slice(at, limits.text);
    const end = window.indexOf(0);
    const text = view.utf8(at, end < 0 ? window.length : end);
    left -= text.length + 1;
    strings.push(text);
  }
  const typeName = (index: number): string =>
    index < typeTable.size ? className(strings[view.u32(typeTable.offset + index * 4)] ?? '') : '';
  const references = new Set<string>();
  const methodCount = count(methodTable.size, 8, methodTable.offset, limits.methods);
  for (let index = 0; index < methodCount; index += 1) {
    if (index % 4000 === 0) tick();
    const at = methodTable.offset + index * 8;
    references.add(`${typeName(view.u16(at)).slice(0, 200)}.${(strings[view.u32(at + 4)] ?? '').slice(0, 100)}`);
  }
  const classes: string[] = [];
  const classCount = count(classTable.size, 32, classTable.offset, limits.classes);
  for (let index = 0; index < classCount; index += 1)
    classes.push(typeName(view.u32(classTable.offset + index * 32)).slice(0, 200));
  return {
    version,
    declaredSize: view.u32(32),
    strings,
    totalStrings: stringTable.size,
    classes,
    totalClasses: classTable.size,
    references: [...references],
    checksumMatches: adler32(bytes.subarray(12)) === view.u32(8),
    notes,
  };
}
