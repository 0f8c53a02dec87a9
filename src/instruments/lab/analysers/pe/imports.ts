import { createHash } from 'node:crypto';
import type { Gathering } from '../native/gathering.ts';
import { capped, tidy } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { PeImage } from './image.ts';
import { ordinalName } from './ordinals.ts';

export interface PeImport {
  readonly dll: string;
  readonly functions: readonly PeImportedFunction[];
  readonly bound: boolean;
}

export interface PeImportedFunction {
  readonly name?: string;
  readonly ordinal?: number;
}

const mostLibraries = 1024;
const mostFunctions = 32_768;
const mostListed = 2000;

/** The name of a library or function, where what stands there is one. */
const namePattern = /^[\x21-\x7e][\x20-\x7e]*$/;

export function readImports(image: PeImage, tick: () => void): PeImport[] {
  const directory = image.directory('import');
  if (directory === undefined) return [];
  const { reader } = image;
  const list: PeImport[] = [];
  const budget = { left: mostFunctions };
  const start = image.offsetOf(directory.rva);
  for (let index = 0; index < mostLibraries && budget.left > 0; index += 1) {
    tick();
    const at = start + index * 20;
    const [lookup, stamp, nameRva, addresses] = [0, 4, 12, 16].map((field) => reader.u32(at + field)) as [
      number,
      number,
      number,
      number,
    ];
    if (nameRva === 0 || (lookup === 0 && addresses === 0)) break;
    const dll = attempt(() => reader.cString(image.offsetOf(nameRva), 512)) ?? '';
    if (!namePattern.test(dll)) break;
    const functions = readThunks(image, [lookup, addresses], budget, (rva) => rva);
    list.push({ dll, functions, bound: stamp !== 0 });
  }
  return list;
}

export function readDelayImports(image: PeImage, tick: () => void): PeImport[] {
  const directory = image.directory('delay_import');
  if (directory === undefined) return [];
  const { reader } = image;
  const list: PeImport[] = [];
  const budget = { left: mostFunctions };
  const start = image.offsetOf(directory.rva);
  for (let index = 0; index < mostLibraries && budget.left > 0; index += 1) {
    tick();
    const at = start + index * 32;
    const attributes = reader.u32(at);
    // Old linkers wrote addresses instead of offsets to the base.
    const rva = (value: number): number => ((attributes & 1) === 1 ? value : value - Number(image.imageBase));
    const nameAt = reader.u32(at + 4);
    if (nameAt === 0) break;
    const dll = attempt(() => reader.cString(image.offsetOf(rva(nameAt)), 512)) ?? '';
    if (!namePattern.test(dll)) break;
    list.push({ dll, functions: readThunks(image, [rva(reader.u32(at + 16))], budget, rva), bound: false });
  }
  return list;
}

function readThunks(
  image: PeImage,
  tables: readonly number[],
  budget: { left: number },
  toRva: (value: number) => number,
): PeImportedFunction[] {
  for (const table of tables) {
    if (table <= 0) continue;
    const start = attempt(() => image.offsetOf(table));
    if (start === undefined) continue;
    return thunksAt(image, start, budget, toRva);
  }
  return [];
}

function thunksAt(
  { reader, is64, offsetOf }: PeImage,
  start: number,
  budget: { left: number },
  toRva: (value: number) => number,
): PeImportedFunction[] {
  const functions: PeImportedFunction[] = [];
  const step = is64 ? 8 : 4;
  for (let at = start; budget.left > 0 && at + step <= reader.length; at += step) {
    const low = reader.u32(at);
    const high = is64 ? reader.u32(at + 4) : low;
    if (low === 0 && (high === 0 || !is64)) break;
    budget.left -= 1;
    if (high >= 0x80000000) {
      functions.push({ ordinal: low & 0xffff });
      continue;
    }
    const name = attempt(() => reader.cString(offsetOf(toRva(low)) + 2, 512));
    if (name === undefined || !namePattern.test(name)) break;
    functions.push({ name });
  }
  return functions;
}

const shown = (dll: string, { name, ordinal }: PeImportedFunction): string =>
  name ?? ordinalName(dll, ordinal ?? 0) ?? `ord${ordinal}`;

/** MD5 over `library.function` in the order of the file, as tools for import hashes agree on it. */
export function importHash(imports: readonly PeImport[]): string | null {
  if (imports.length === 0) return null;
  const parts = imports.flatMap(({ dll, functions }) => {
    const library = dll.toLowerCase().replace(/\.(?:dll|ocx|sys)$/, '');
    return functions.map((one) => `${library}.${shown(dll, one).toLowerCase()}`);
  });
  return createHash('md5').update(parts.join(',')).digest('hex');
}

export function describeImports(
  imports: readonly PeImport[],
  delayed: readonly PeImport[],
  { facts }: Gathering,
): string[] {
  const room = { left: mostListed };
  const list = (entries: readonly PeImport[]) =>
    capped(entries, 300).map(({ dll, functions, bound }) => {
      const names = capped(functions, room.left).map((one) => tidy(shown(dll, one), 200));
      room.left -= names.length;
      return { dll: tidy(dll, 200), functions: names, function_count: functions.length, ...(bound ? { bound } : {}) };
    });
  const count = (entries: readonly PeImport[]): number =>
    entries.reduce((sum, { functions }) => sum + functions.length, 0);
  facts.imports = list(imports);
  facts.import_count = count(imports);
  facts.imphash = importHash(imports);
  if (delayed.length > 0) {
    facts.delay_imports = list(delayed);
    facts.delay_import_count = count(delayed);
  }
  return [...imports, ...delayed].flatMap(({ dll, functions }) => functions.map((one) => shown(dll, one)));
}
