import { type ByteOrder, makeReader, OutOfBounds, type Reader } from '../reader.ts';

export interface MachCommand {
  readonly id: number;
  readonly at: number;
  readonly size: number;
}

export interface MachSection {
  readonly name: string;
  readonly segment: string;
  readonly address: number;
  readonly size: number;
  readonly offset: number;
  readonly type: number;
}

export interface MachSegment {
  readonly name: string;
  readonly address: number;
  readonly memorySize: number;
  readonly offset: number;
  readonly fileSize: number;
  readonly maximum: number;
  readonly initial: number;
  readonly sections: readonly MachSection[];
}

export interface MachImage {
  readonly reader: Reader;
  readonly is64: boolean;
  readonly cpu: number;
  readonly cpuSubtype: number;
  readonly fileType: number;
  readonly flags: number;
  readonly declaredCommands: number;
  readonly commands: readonly MachCommand[];
  readonly segments: readonly MachSegment[];
  command(...ids: readonly number[]): MachCommand | undefined;
  /** The text at an offset that a command holds, within the command. */
  textOf(command: MachCommand, field: number): string;
  offsetOf(address: number): number;
}

const magics: Readonly<Record<number, readonly [is64: boolean, order: ByteOrder]>> = {
  4277009102: [false, 'big'],
  4277009103: [true, 'big'],
  3472551422: [false, 'little'],
  3489328638: [true, 'little'],
};

const mostCommands = 2048;
const mostSections = 1024;

export function readMach(bytes: Uint8Array): MachImage {
  const [is64, order] = magics[makeReader(bytes, 'big').u32(0)] ?? [];
  if (is64 === undefined || order === undefined) throw new OutOfBounds(0, 4, bytes.length);
  const reader = makeReader(bytes, order);
  const declaredCommands = reader.u32(16);
  const commands = readCommands(reader, is64 ? 32 : 28, declaredCommands);
  const budget = { left: mostSections };
  const segments = commands.flatMap((command) =>
    command.id === 0x1 || command.id === 0x19 ? (readSegment(reader, command, budget) ?? []) : [],
  );
  return {
    reader,
    is64,
    cpu: reader.u32(4),
    cpuSubtype: reader.u32(8),
    fileType: reader.u32(12),
    flags: reader.u32(24),
    declaredCommands,
    commands,
    segments,
    command: (...ids) => commands.find(({ id }) => ids.includes(id)),
    textOf: (command, field) => {
      const from = reader.u32(command.at + field);
      if (from >= command.size) throw new OutOfBounds(from, 1, command.size);
      return reader.cString(command.at + from, Math.min(command.size - from, 1024));
    },
    offsetOf(address) {
      const hit = segments.find((one) => address >= one.address && address < one.address + one.fileSize);
      if (hit === undefined) throw new OutOfBounds(address, 1, bytes.length);
      return hit.offset + (address - hit.address);
    },
  };
}

function readCommands(reader: Reader, start: number, count: number): MachCommand[] {
  const list: MachCommand[] = [];
  let at = start;
  for (let index = 0; index < Math.min(count, mostCommands) && at + 8 <= reader.length; index += 1) {
    const size = reader.u32(at + 4);
    if (size < 8 || at + size > reader.length) break;
    list.push({ id: reader.u32(at), at, size });
    at += size;
  }
  return list;
}

const nameAt = (reader: Reader, at: number): string => reader.latin1(at, 16).split('\0', 1)[0] ?? '';

function readSegment(reader: Reader, { id, at, size }: MachCommand, budget: { left: number }): MachSegment | undefined {
  const wide = id === 0x19;
  const [head, entry] = wide ? [72, 80] : [56, 68];
  if (size < head) return undefined;
  const number = (where: number): number => (wide ? reader.size64(where) : reader.u32(where));
  const step = wide ? 8 : 4;
  const tail = at + 24 + 4 * step;
  const name = nameAt(reader, at + 8);
  const sections: MachSection[] = [];
  const count = Math.min(reader.u32(tail + 8), Math.floor((size - head) / entry), budget.left);
  budget.left -= count;
  for (let index = 0; index < count; index += 1) {
    const here = at + head + index * entry;
    sections.push({
      name: nameAt(reader, here),
      segment: nameAt(reader, here + 16),
      address: number(here + 32),
      size: number(here + 32 + step),
      offset: reader.u32(here + 32 + 2 * step),
      type: reader.u32(here + 32 + 2 * step + 16) & 0xff,
    });
  }
  return {
    name,
    address: number(at + 24),
    memorySize: number(at + 24 + step),
    offset: number(at + 24 + 2 * step),
    fileSize: number(at + 24 + 3 * step),
    maximum: reader.u32(tail),
    initial: reader.u32(tail + 4),
    sections,
  };
}
