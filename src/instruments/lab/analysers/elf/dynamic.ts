import { attempt } from '../reader.ts';
import type { ElfImage } from './image.ts';

/** What the dynamic linker is told. */
export interface ElfDynamic {
  readonly present: boolean;
  readonly needed: readonly string[];
  readonly soname: string | null;
  readonly rpath: string | null;
  readonly runpath: string | null;
  readonly values: ReadonlyMap<number, number>;
}

const mostEntries = 4096;
const tags = { needed: 1, hash: 4, strings: 5, symbols: 6, soname: 14, rpath: 15, runpath: 29 } as const;

export function readDynamic(image: ElfImage): ElfDynamic {
  const { reader, word, is64 } = image;
  const segment = image.segments.find(({ type }) => type === 2);
  const section = image.sections.find(({ type }) => type === 6);
  const start = segment?.offset ?? section?.offset;
  const values = new Map<number, number>();
  const needed: number[] = [];
  if (start === undefined) return { present: false, needed: [], soname: null, rpath: null, runpath: null, values };
  const size = is64 ? 16 : 8;
  for (let index = 0; index < mostEntries; index += 1) {
    const at = start + index * size;
    const entry = attempt(() => [word(at), word(at + size / 2)] as const);
    if (entry === undefined || entry[0] === 0) break;
    if (entry[0] === tags.needed) needed.push(entry[1]);
    else if (!values.has(entry[0])) values.set(entry[0], entry[1]);
  }
  const base = attempt(() => image.offsetOf(values.get(tags.strings) ?? -1)) ?? image.section('.dynstr')?.offset;
  const text = (at: number | undefined): string | null =>
    at === undefined || base === undefined ? null : (attempt(() => reader.cString(base + at, 1024)) ?? null);
  return {
    present: true,
    needed: needed.slice(0, 500).flatMap((at) => text(at) ?? []),
    soname: text(values.get(tags.soname)),
    rpath: text(values.get(tags.rpath)),
    runpath: text(values.get(tags.runpath)),
    values,
  };
}
