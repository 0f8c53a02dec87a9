import type { Gathering } from '../native/gathering.ts';
import { flagNames, hex, tidy, timeOf } from '../native/wording.ts';
import type { PeImage } from './image.ts';
import { directoryNames, dllCharacteristics, fileCharacteristics, machines, subsystems } from './names.ts';

export function describeHeaders(image: PeImage, { facts }: Gathering): void {
  const time = timeOf(image.timestamp);
  const entry = image.sectionOf(image.entryPoint);
  Object.assign(facts, {
    format: image.rom ? 'PE with an unknown optional header' : image.is64 ? 'PE32+' : 'PE32',
    machine: machines[image.machine] ?? hex(image.machine),
    bits: image.is64 ? 64 : 32,
    is_dll: (image.characteristics & 0x2000) !== 0,
    is_driver: image.subsystem === 1,
    is_dotnet: image.directory('clr_header') !== undefined,
    subsystem: subsystems[image.subsystem] ?? hex(image.subsystem),
    characteristics: flagNames(image.characteristics, fileCharacteristics),
    dll_characteristics: flagNames(image.dllCharacteristics, dllCharacteristics),
    timestamp: { seconds: image.timestamp, iso: time.iso, plausible: time.plausible },
    linker_version: image.linker,
    os_version: image.osVersion,
    subsystem_version: image.subsystemVersion,
    image_base: hex(image.imageBase),
    entry_point: {
      rva: hex(image.entryPoint),
      section: entry === undefined ? null : tidy(entry.name, 64),
    },
    size_of_image: image.sizeOfImage,
    size_of_headers: image.sizeOfHeaders,
    section_alignment: image.sectionAlignment,
    file_alignment: image.fileAlignment,
    mitigations: mitigationsOf(image),
    directories: directoryNames.flatMap((name) => {
      const entry = image.directory(name);
      return entry === undefined ? [] : [{ name, rva: hex(entry.rva), size: entry.size }];
    }),
  });
}

function mitigationsOf({
  dllCharacteristics: flags,
  characteristics,
  is64,
  machine,
}: PeImage): Record<string, boolean> {
  const has = (bit: number): boolean => (flags & bit) !== 0;
  return {
    aslr: has(0x40),
    high_entropy_aslr: is64 && has(0x20),
    dep: has(0x100) || machine === 0xaa64,
    control_flow_guard: has(0x4000),
    safe_exceptions: !has(0x400),
    force_integrity: has(0x80),
    appcontainer: has(0x1000),
    relocations_stripped: (characteristics & 1) !== 0,
  };
}
