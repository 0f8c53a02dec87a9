import { readElf } from '../analysers/elf/image.ts';
import { loadedOffset, readImage } from '../analysers/pe/image.ts';
import { attempt } from '../analysers/reader.ts';

/** How a program lies in memory, as far as a search for addresses needs it. */

export type Machine = 'x86' | 'x64' | 'arm64' | 'other';

export interface Piece {
  readonly name: string;
  /** In memory, with the base that the file asks for. */
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  readonly isExecutable: boolean;
}

export interface Layout {
  readonly format: 'pe' | 'elf';
  readonly machine: Machine;
  readonly pointerBytes: 4 | 8;
  readonly isLittleEndian: boolean;
  readonly pieces: readonly Piece[];
}

const peMachines: Readonly<Record<number, Machine>> = { 332: 'x86', 34404: 'x64', 43620: 'arm64' };
const elfMachines: Readonly<Record<number, Machine>> = { 3: 'x86', 62: 'x64', 183: 'arm64' };

const isUsable = ({ address, offset, size }: Piece, length: number): boolean =>
  size > 0 && offset >= 0 && offset < length && Number.isSafeInteger(address) && address >= 0;

function bounded(pieces: readonly Piece[], length: number): readonly Piece[] {
  return pieces
    .filter((piece) => isUsable(piece, length))
    .slice(0, 512)
    .map((piece) => ({ ...piece, size: Math.min(piece.size, length - piece.offset) }));
}

function readPe(bytes: Uint8Array): Layout | undefined {
  const image = attempt(() => readImage(bytes));
  if (image === undefined) return undefined;
  const base = Number(image.imageBase);
  const pieces = image.sections.map((section): Piece => {
    const { name, virtualAddress, virtualSize, rawSize, flags } = section;
    const size = virtualSize === 0 ? rawSize : Math.min(rawSize, virtualSize);
    return {
      name,
      address: base + virtualAddress,
      offset: loadedOffset(section, image.fileAlignment),
      size,
      isExecutable: (flags & 0x2000_0000) !== 0,
    };
  });
  return {
    format: 'pe',
    machine: peMachines[image.machine] ?? 'other',
    pointerBytes: image.is64 ? 8 : 4,
    isLittleEndian: true,
    pieces: bounded(pieces, bytes.length),
  };
}

function readElfLayout(bytes: Uint8Array): Layout | undefined {
  const image = attempt(() => readElf(bytes));
  if (image === undefined) return undefined;
  const loaded = image.sections.filter(({ flags, type, address }) => (flags & 2) !== 0 && type !== 8 && address > 0);
  const bySection = loaded.map(
    ({ name, address, offset, size, flags }): Piece => ({
      name,
      address,
      offset,
      size,
      isExecutable: (flags & 4) !== 0,
    }),
  );
  const bySegment = image.segments
    .filter(({ type }) => type === 1)
    .map(
      ({ address, offset, fileSize, flags }, at): Piece => ({
        name: `segment ${at}`,
        address,
        offset,
        size: fileSize,
        isExecutable: (flags & 1) !== 0,
      }),
    );
  return {
    format: 'elf',
    machine: elfMachines[image.machine] ?? 'other',
    pointerBytes: image.is64 ? 8 : 4,
    isLittleEndian: image.order === 'little',
    pieces: bounded(bySection.length > 0 ? bySection : bySegment, bytes.length),
  };
}

export function readLayout(bytes: Uint8Array): Layout | undefined {
  return readPe(bytes) ?? readElfLayout(bytes);
}

export function pieceAt(layout: Layout, offset: number): Piece | undefined {
  return layout.pieces.find((piece) => offset >= piece.offset && offset < piece.offset + piece.size);
}
