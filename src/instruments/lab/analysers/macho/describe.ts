import type { Gathering } from '../native/gathering.ts';
import { flagNames, hex, tidy } from '../native/wording.ts';
import { attempt } from '../reader.ts';
import type { MachCommand, MachImage } from './image.ts';
import { commandNames, cpuTypes, fileTypes, headerFlags, platforms } from './names.ts';

const mostListed = 300;

export function describeHeader(image: MachImage, { facts, notes }: Gathering): void {
  Object.assign(facts, {
    format: image.is64 ? 'Mach-O 64-bit' : 'Mach-O 32-bit',
    bits: image.is64 ? 64 : 32,
    byte_order: image.reader.order,
    cpu: cpuTypes[image.cpu] ?? hex(image.cpu),
    cpu_subtype: image.cpuSubtype & 0xffffff,
    file_type: fileTypes[image.fileType] ?? hex(image.fileType),
    flags: flagNames(image.flags, headerFlags),
    hardening: {
      pie: (image.flags & 0x200000) !== 0,
      stack_execution: (image.flags & 0x20000) !== 0,
      no_heap_execution: (image.flags & 0x1000000) !== 0,
    },
    command_count: image.declaredCommands,
    commands: [...new Set(image.commands.map(({ id }) => commandNames[id] ?? hex(id)))].slice(0, 60),
  });
  if (image.commands.length < image.declaredCommands)
    notes.push(`${image.declaredCommands} load commands are declared, ${image.commands.length} were read`);
}

const version = (packed: number): string => `${packed >>> 16}.${(packed >>> 8) & 255}.${packed & 255}`;

const minimumPlatforms: Readonly<Record<number, string>> = { 36: 'macOS', 37: 'iOS', 47: 'tvOS', 48: 'watchOS' };

export const libraryCommands: Readonly<Record<number, string>> = {
  12: 'load',
  2147483672: 'weak',
  2147483679: 'reexport',
  2147483683: 'upward',
};

/** In the order of the file: symbols refer to libraries by their position. */
export function readLibraries(
  image: MachImage,
): { readonly name: string; readonly kind: string; readonly version: string }[] {
  return image.commands.flatMap((command) => {
    const kind = libraryCommands[command.id];
    if (kind === undefined) return [];
    const name = attempt(() => image.textOf(command, 8)) ?? '';
    const current = attempt(() => version(image.reader.u32(command.at + 16))) ?? '';
    return [{ name: tidy(name, 512), kind, version: current }];
  });
}

export function describeCommands(image: MachImage, gathering: Gathering): void {
  const { facts } = gathering;
  const { reader } = image;
  const read = <T>(ids: readonly number[], take: (command: MachCommand) => T): T | null => {
    const command = image.command(...ids);
    return command === undefined ? null : (attempt(() => take(command)) ?? null);
  };
  const libraries = readLibraries(image);
  const rpaths = image.commands
    .filter(({ id }) => id === 0x8000001c)
    .flatMap((one) => attempt(() => tidy(image.textOf(one, 8), 512)) ?? []);
  facts.library_count = libraries.length;
  facts.libraries = libraries.slice(0, mostListed);
  facts.rpaths = rpaths.slice(0, 50);
  facts.install_name = read([0xd], (one) => tidy(image.textOf(one, 8), 512));
  facts.uuid = read([0x1b], (one) => uuidOf(reader.slice(one.at + 8, 16)));
  facts.dynamic_linker = read([0xe], (one) => tidy(image.textOf(one, 8), 256));
  facts.platform = read([0x32, ...Object.keys(minimumPlatforms).map(Number)], (one) =>
    one.id === 0x32
      ? {
          name: platforms[reader.u32(one.at + 8)] ?? hex(reader.u32(one.at + 8)),
          minimum: version(reader.u32(one.at + 12)),
          sdk: version(reader.u32(one.at + 16)),
        }
      : {
          name: minimumPlatforms[one.id] ?? '',
          minimum: version(reader.u32(one.at + 8)),
          sdk: version(reader.u32(one.at + 12)),
        },
  );
  facts.entry_offset = read([0x80000028], (one) => hex(reader.u64(one.at + 8)));
  facts.encrypted = read([0x21, 0x2c], (one) => reader.u32(one.at + 16) !== 0) ?? false;
  const environment = image.commands
    .filter(({ id }) => id === 0x27)
    .flatMap((one) => attempt(() => image.textOf(one, 8)) ?? []);
  if (environment.length > 0) facts.linker_environment = environment.slice(0, 20).map((text) => tidy(text, 300));
  findSearchPaths([...rpaths, ...libraries.map(({ name }) => name)], gathering);
}

/** Stored in the order in which it is read, unlike on Windows. */
const uuidOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .toUpperCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function findSearchPaths(paths: readonly string[], gathering: Gathering): void {
  const odd = paths.filter((path) => /^(?:\/tmp\/|\/private\/tmp|\/var\/tmp|\/Users\/|\/Volumes\/|\.\/)/.test(path));
  if (odd.length === 0) return;
  gathering.find({
    rule: 'macho.dylib.search-path',
    title: 'Libraries are looked for in folders that others may write to',
    severity: 'low',
    evidenceType: 'structural',
    evidence: odd.map((text) => ({ where: 'load commands', text })),
    benign: 'Programs that were built and never installed keep the path of their build folder.',
    attack: ['T1574.004'],
  });
}

/** UPX leaves its mark beside the load commands. */
export function describePacker(image: MachImage, gathering: Gathering): void {
  const marked = Buffer.from(image.reader.cut(0, 8192)).includes('UPX!');
  gathering.facts.packer = marked ? 'UPX' : null;
  if (!marked) return;
  gathering.find({
    rule: 'macho.packer',
    title: 'The layout is that of a packed program',
    severity: 'low',
    evidenceType: 'structural',
    evidence: [{ where: 'beside the headers', text: 'UPX!' }],
    benign: 'UPX is used to make ordinary programs smaller.',
    attack: ['T1027.002'],
    mbc: ['F0001', 'F0001.008'],
  });
}

const rights = (bits: number): string => `${bits & 1 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${bits & 4 ? 'x' : '-'}`;

export function describeSegments(
  image: MachImage,
  measure: (piece: Uint8Array) => number | null,
  gathering: Gathering,
): void {
  gathering.facts.segments = image.segments.slice(0, 64).map((segment) => ({
    name: tidy(segment.name, 32),
    address: hex(segment.address),
    memory_size: segment.memorySize,
    offset: segment.offset,
    file_size: segment.fileSize,
    initial: rights(segment.initial),
    maximum: rights(segment.maximum),
    entropy: measure(image.reader.cut(segment.offset, segment.fileSize)),
    sections: segment.sections.slice(0, 64).map((section) => ({
      name: tidy(section.name, 32),
      size: section.size,
      // Sections of type 1, 12 and 18 hold zeros that are not in the file.
      entropy: [1, 12, 18].includes(section.type) ? null : measure(image.reader.cut(section.offset, section.size)),
    })),
  }));
  const both = image.segments.filter(({ initial }) => (initial & 6) === 6);
  if (both.length === 0) return;
  gathering.find({
    rule: 'macho.segment.writable-code',
    title: 'Memory that can be written to and executed',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: both.map(({ name, initial }) => ({ where: `segment ${name}`, text: rights(initial) })),
    benign: 'Packed programs and old just-in-time runtimes ask for this.',
    attack: ['T1027.002'],
    mbc: ['F0001'],
  });
}
