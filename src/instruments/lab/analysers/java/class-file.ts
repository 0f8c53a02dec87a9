import { type ByteView, makeByteView } from '../byte-view.ts';

/** A compiled Java class: its header and its constant pool, which names all it touches. */

export interface JavaClass {
  readonly major: number;
  readonly minor: number;
  readonly flags: number;
  readonly name: string;
  readonly superName: string;
  readonly interfaces: readonly string[];
  readonly fields: number;
  readonly methods: readonly string[];
  readonly strings: readonly string[];
  /** Classes that the pool names, with dots. */
  readonly classes: readonly string[];
  /** `java.lang.Runtime.exec`. */
  readonly references: readonly string[];
  readonly sourceFile?: string;
  readonly notes: readonly string[];
}

const sizes: Readonly<Record<number, number>> = {
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 2,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
};
const mostMembers = 20_000;

interface Entry {
  readonly tag: number;
  readonly at: number;
}

function readPool(view: ByteView, notes: string[]): { pool: (Entry | undefined)[]; end: number } {
  const count = view.u16(8);
  const pool: (Entry | undefined)[] = [undefined];
  let at = 10;
  while (pool.length < count) {
    const tag = view.u8(at);
    const size = tag === 1 ? 2 + view.u16(at + 1) : sizes[tag];
    if (size === undefined || !view.fits(at, 1 + size)) {
      notes.push(`the constant pool is damaged at entry ${pool.length}`);
      break;
    }
    pool.push({ tag, at: at + 1 });
    if (tag === 5 || tag === 6) pool.push(undefined);
    at += 1 + size;
  }
  return { pool, end: at };
}

export function readClass(bytes: Uint8Array, tick: () => void): JavaClass | undefined {
  const view = makeByteView(bytes, false);
  if (view.u32(0) !== 0xcafebabe || bytes.length < 24) return undefined;
  const notes: string[] = [];
  const { pool, end } = readPool(view, notes);
  const utf8 = (index: number): string => {
    const entry = pool[index];
    return entry?.tag === 1 ? view.utf8(entry.at + 2, view.u16(entry.at)) : '';
  };
  const named = (index: number): string => {
    const entry = pool[index];
    return entry === undefined ? '' : utf8(view.u16(entry.at));
  };
  const dotted = (name: string): string => name.replaceAll('/', '.');
  const strings: string[] = [];
  const classes = new Set<string>();
  const references = new Set<string>();
  for (const [index, entry] of pool.entries()) {
    if (index % 2000 === 0) tick();
    if (entry === undefined) continue;
    if (entry.tag === 8) strings.push(utf8(view.u16(entry.at)));
    if (entry.tag === 7) classes.add(dotted(named(index)));
    if (entry.tag < 9 || entry.tag > 11) continue;
    const pair = pool[view.u16(entry.at + 2)];
    references.add(`${dotted(named(view.u16(entry.at)))}.${pair === undefined ? '' : utf8(view.u16(pair.at))}`);
  }
  const interfaceCount = view.u16(end + 6);
  const interfaces: string[] = [];
  for (let index = 0; index < interfaceCount && view.fits(end + 8 + index * 2, 2); index += 1) {
    interfaces.push(dotted(named(view.u16(end + 8 + index * 2))));
  }
  let at = end + 8 + interfaceCount * 2;
  const members = (): string[] => {
    const count = view.u16(at);
    const names: string[] = [];
    at += 2;
    for (let index = 0; index < Math.min(count, mostMembers) && view.fits(at, 8); index += 1) {
      names.push(utf8(view.u16(at + 2)));
      at = skipAttributes(view, at + 6);
    }
    return names;
  };
  const fields = members().length;
  const methods = members();
  const sourceFile = findSourceFile(view, at, utf8);
  return {
    major: view.u16(6),
    minor: view.u16(4),
    flags: view.u16(end),
    name: dotted(named(view.u16(end + 2))),
    superName: dotted(named(view.u16(end + 4))),
    interfaces,
    fields,
    methods,
    strings,
    classes: [...classes],
    references: [...references],
    ...(sourceFile === undefined ? {} : { sourceFile }),
    notes,
  };
}

function skipAttributes(view: ByteView, from: number): number {
  const count = view.u16(from);
  let at = from + 2;
  for (let index = 0; index < count && view.fits(at, 6); index += 1) at += 6 + view.u32(at + 2);
  return at;
}

function findSourceFile(view: ByteView, from: number, utf8: (index: number) => string): string | undefined {
  const count = view.u16(from);
  let at = from + 2;
  for (let index = 0; index < count && view.fits(at, 6); index += 1) {
    if (utf8(view.u16(at)) === 'SourceFile') return utf8(view.u16(at + 6));
    at += 6 + view.u32(at + 2);
  }
  return undefined;
}

/** Java 1.1 is 45; since 5 the number is 44 less. */
export function javaVersion(major: number): string {
  if (major < 45 || major > 120) return `unknown (${major})`;
  return major < 49 ? `1.${major - 44}` : String(major - 44);
}
