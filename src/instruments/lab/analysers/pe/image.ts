import { attempt, makeReader, OutOfBounds, type Reader } from '../reader.ts';
import { type DirectoryName, directoryNames } from './names.ts';

export interface PeSection {
  /** Up to the first zero; names of more than eight characters stand in the table of symbols. */
  readonly name: string;
  readonly virtualSize: number;
  readonly virtualAddress: number;
  readonly rawSize: number;
  readonly rawOffset: number;
  readonly flags: number;
}

export interface PeDirectory {
  readonly rva: number;
  readonly size: number;
}

/** The headers of a PE file, and the way from addresses in memory to offsets in the file. */
export interface PeImage {
  readonly reader: Reader;
  readonly peOffset: number;
  readonly optionalOffset: number;
  readonly machine: number;
  readonly timestamp: number;
  readonly symbolTable: number;
  readonly characteristics: number;
  readonly optionalSize: number;
  readonly is64: boolean;
  readonly rom: boolean;
  readonly linker: string;
  readonly entryPoint: number;
  readonly imageBase: bigint;
  readonly sectionAlignment: number;
  readonly fileAlignment: number;
  readonly osVersion: string;
  readonly subsystemVersion: string;
  readonly sizeOfImage: number;
  readonly sizeOfHeaders: number;
  readonly checksum: number;
  readonly checksumOffset: number;
  readonly subsystem: number;
  readonly dllCharacteristics: number;
  readonly directoriesOffset: number;
  readonly directoryCount: number;
  readonly declaredSections: number;
  readonly sections: readonly PeSection[];
  directory(name: DirectoryName): PeDirectory | undefined;
  /** Throws `OutOfBounds` where nothing of the file lies at that address. */
  offsetOf(rva: number): number;
  sectionOf(rva: number): PeSection | undefined;
}

const mostSections = 256;

/** The raw offset that a loader uses: pointers are rounded down to a sector unless the alignment is smaller than one. */
export const loadedOffset = (section: PeSection, fileAlignment: number): number =>
  fileAlignment < 0x200 ? section.rawOffset : section.rawOffset - (section.rawOffset % 0x200);

export function readImage(bytes: Uint8Array): PeImage {
  const reader = makeReader(bytes);
  const outside = (): OutOfBounds => new OutOfBounds(0, 4, bytes.length);
  if (reader.u16(0) !== 0x5a4d) throw outside();
  const peOffset = reader.u32(0x3c);
  if (reader.u32(peOffset) !== 0x4550) throw outside();
  const coff = peOffset + 4;
  const optionalSize = reader.u16(coff + 16);
  const at = coff + 20;
  const magic = reader.u16(at);
  const is64 = magic === 0x20b;
  const directoriesOffset = at + (is64 ? 112 : 96);
  const directoryCount = reader.u32(directoriesOffset - 4);
  const declaredSections = reader.u16(coff + 2);
  const sections = readSections(reader, at + optionalSize, declaredSections, longNames(reader, coff));
  const fileAlignment = reader.u32(at + 36);
  const sizeOfHeaders = reader.u32(at + 60);
  const sectionOf = (rva: number): PeSection | undefined =>
    sections.find(
      ({ virtualAddress, virtualSize, rawSize }) =>
        rva >= virtualAddress && rva < virtualAddress + Math.max(virtualSize, rawSize),
    );
  return {
    reader,
    peOffset,
    optionalOffset: at,
    machine: reader.u16(coff),
    timestamp: reader.u32(coff + 4),
    symbolTable: reader.u32(coff + 8),
    characteristics: reader.u16(coff + 18),
    optionalSize,
    is64,
    rom: magic !== 0x10b && magic !== 0x20b,
    linker: `${reader.u8(at + 2)}.${reader.u8(at + 3)}`,
    entryPoint: reader.u32(at + 16),
    imageBase: is64 ? reader.u64(at + 24) : BigInt(reader.u32(at + 28)),
    sectionAlignment: reader.u32(at + 32),
    fileAlignment,
    osVersion: `${reader.u16(at + 40)}.${reader.u16(at + 42)}`,
    subsystemVersion: `${reader.u16(at + 48)}.${reader.u16(at + 50)}`,
    sizeOfImage: reader.u32(at + 56),
    sizeOfHeaders,
    checksum: reader.u32(at + 64),
    checksumOffset: at + 64,
    subsystem: reader.u16(at + 68),
    dllCharacteristics: reader.u16(at + 70),
    directoriesOffset,
    directoryCount,
    declaredSections,
    sections,
    directory(name) {
      const index = directoryNames.indexOf(name);
      if (index >= directoryCount || directoriesOffset + index * 8 + 8 > bytes.length) return undefined;
      const entry = {
        rva: reader.u32(directoriesOffset + index * 8),
        size: reader.u32(directoriesOffset + index * 8 + 4),
      };
      return entry.rva === 0 ? undefined : entry;
    },
    offsetOf(rva) {
      const section = sectionOf(rva);
      if (section === undefined) {
        const first = Math.min(...sections.map(({ virtualAddress }) => virtualAddress), bytes.length);
        if (rva < Math.max(sizeOfHeaders, sections.length === 0 ? bytes.length : 0) && rva < Math.max(first, 1))
          return rva;
        throw outside();
      }
      const within = rva - section.virtualAddress;
      if (within >= section.rawSize) throw outside();
      return loadedOffset(section, fileAlignment) + within;
    },
    sectionOf,
  };
}

/** Compilers other than Microsoft's write `/12` for a name at offset 12 behind the symbols. */
function longNames(reader: Reader, coff: number): (name: string) => string {
  const symbols = reader.u32(coff + 8);
  const strings = symbols + reader.u32(coff + 12) * 18;
  return (name) => {
    const offset = /^\/(\d{1,7})$/.exec(name)?.[1];
    if (offset === undefined || symbols === 0) return name;
    return attempt(() => reader.cString(strings + Number(offset), 64)) || name;
  };
}

function readSections(
  reader: Reader,
  table: number,
  declared: number,
  longName: (name: string) => string,
): PeSection[] {
  const sections: PeSection[] = [];
  for (let index = 0; index < Math.min(declared, mostSections); index += 1) {
    const at = table + index * 40;
    if (at + 40 > reader.length) break;
    sections.push({
      name: longName(reader.latin1(at, 8).split('\0', 1)[0] ?? ''),
      virtualSize: reader.u32(at + 8),
      virtualAddress: reader.u32(at + 12),
      rawSize: reader.u32(at + 16),
      rawOffset: reader.u32(at + 20),
      flags: reader.u32(at + 36),
    });
  }
  return sections;
}
