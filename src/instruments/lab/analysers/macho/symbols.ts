import { matchCapabilities } from '../native/capability.ts';
import type { Gathering } from '../native/gathering.ts';
import { tidy } from '../native/wording.ts';
import { attempt, makeReader } from '../reader.ts';
import { appleCapabilities } from './capabilities.ts';
import { readLibraries } from './describe.ts';
import type { MachImage } from './image.ts';

const mostSymbols = 100_000;
const mostListed = 2000;

interface MachSymbol {
  readonly name: string;
  readonly undefined: boolean;
  readonly external: boolean;
  /** Position of the library, from 1. */
  readonly library: number;
}

function readSymbols(image: MachImage, tick: () => void): { readonly total: number; readonly list: MachSymbol[] } {
  const command = image.command(0x2);
  if (command === undefined) return { total: 0, list: [] };
  const { reader, is64 } = image;
  const [table, total, strings, stringsSize] = [8, 12, 16, 20].map((field) => reader.u32(command.at + field)) as [
    number,
    number,
    number,
    number,
  ];
  const names = makeReader(reader.cut(strings, stringsSize));
  const size = is64 ? 16 : 12;
  const list: MachSymbol[] = [];
  for (let index = 0; index < Math.min(total, mostSymbols); index += 1) {
    if (index % 4096 === 0) tick();
    const at = table + index * size;
    if (at + size > reader.length) break;
    const type = reader.u8(at + 4);
    // Entries for debuggers say nothing about linking.
    if ((type & 0xe0) !== 0) continue;
    const name = attempt(() => names.cString(reader.u32(at), 512)) ?? '';
    if (name !== '')
      list.push({
        name,
        undefined: (type & 0x0e) === 0,
        external: (type & 1) !== 0,
        library: reader.u16(at + 6) >>> 8,
      });
  }
  return { total, list };
}

/** C names carry one underscore in front. */
const plain = (name: string): string => (name.startsWith('_') ? name.slice(1) : name);

export function describeSymbols(image: MachImage, gathering: Gathering): void {
  const { facts } = gathering;
  const { total, list } = readSymbols(image, gathering.input.tick);
  const libraries = readLibraries(image);
  const imported = list.filter((one) => one.undefined && one.external);
  const exported = list.filter((one) => !one.undefined && one.external);
  const groups = new Map<string, string[]>();
  for (const { name, library } of imported.slice(0, mostListed)) {
    const owner = libraries[library - 1]?.name ?? '';
    const group = groups.get(owner) ?? [];
    group.push(tidy(plain(name), 200));
    groups.set(owner, group);
  }
  facts.symbol_count = total;
  facts.is_stripped = !list.some(({ external }) => !external);
  facts.import_count = imported.length;
  facts.imports = [...groups].map(([dll, functions]) => ({ dll, functions }));
  facts.export_count = exported.length;
  facts.exports = exported.slice(0, mostListed).map(({ name }) => tidy(plain(name), 200));
  gathering.findings.push(
    ...matchCapabilities(
      imported.map(({ name }) => plain(name)),
      appleCapabilities,
      (name) => [name],
      'symbol table',
    ),
  );
}
