import type { Kind } from '../contract.ts';
import { findWord, hasWord, u16, u16be, u32, u32be } from './bytes.ts';

const elfMachines: ReadonlyMap<number, string> = new Map([
  [2, 'SPARC'],
  [3, 'x86'],
  [4, 'm68k'],
  [8, 'MIPS'],
  [20, 'PowerPC'],
  [21, 'PowerPC64'],
  [22, 'S/390'],
  [40, 'ARM'],
  [42, 'SuperH'],
  [62, 'x86-64'],
  [93, 'ARC'],
  [183, 'ARM64'],
  [243, 'RISC-V'],
  [247, 'BPF'],
  [258, 'LoongArch'],
]);

const elfTypes: ReadonlyMap<number, string> = new Map([
  [1, 'object file'],
  [2, 'executable'],
  [3, 'shared object or position-independent executable'],
  [4, 'core file'],
]);

const coreType = 4;
const noteSearchBytes = 0x10000;

/** A core file whose notes come from a virtual machine monitor is a memory image, not one of a process. */
function isMachineCore(bytes: Uint8Array): boolean {
  return ['VBCORE', 'VBCPU', 'QEMU\0', 'VMCOREINFO'].some((word) => findWord(bytes, word, 0, noteSearchBytes) !== -1);
}

export function recogniseElf(bytes: Uint8Array): Kind | null {
  if (!hasWord(bytes, '\x7fELF')) return null;
  const isBig = bytes[5] === 2;
  const read16 = isBig ? u16be : u16;
  const type = read16(bytes, 16);
  if (type === coreType && isMachineCore(bytes)) {
    return { id: 'memory', title: 'memory image of a virtual machine (ELF core)', mime: 'application/x-memory-image' };
  }
  const width = bytes[4] === 2 ? '64-bit' : bytes[4] === 1 ? '32-bit' : 'unknown width';
  const machine = elfMachines.get(read16(bytes, 18)) ?? 'an unknown machine';
  const title = `ELF ${width} ${elfTypes.get(type) ?? 'file of unknown type'} for ${machine}${isBig ? ', big endian' : ''}`;
  return { id: 'elf', title, mime: 'application/x-elf' };
}

const cpuNames: ReadonlyMap<number, string> = new Map([
  [7, 'x86'],
  [0x01000007, 'x86-64'],
  [12, 'ARM'],
  [0x0100000c, 'ARM64'],
  [0x0200000c, 'ARM64 (32-bit)'],
  [18, 'PowerPC'],
  [0x01000012, 'PowerPC64'],
]);

const machoTypes: ReadonlyMap<number, string> = new Map([
  [1, 'object file'],
  [2, 'executable'],
  [4, 'core file'],
  [6, 'library'],
  [8, 'bundle'],
  [9, 'library stub'],
  [10, 'debug symbols'],
  [11, 'kernel extension'],
]);

const thin: ReadonlyMap<number, { readonly isBig: boolean; readonly width: string }> = new Map([
  [0xfeedface, { isBig: true, width: '32-bit' }],
  [0xfeedfacf, { isBig: true, width: '64-bit' }],
  [0xcefaedfe, { isBig: false, width: '32-bit' }],
  [0xcffaedfe, { isBig: false, width: '64-bit' }],
]);

const machoMime = 'application/x-mach-binary';
const fatMagic = 0xcafebabe;
const fat64Magic = 0xcafebabf;
/** Where a fat binary has its count of slices, a Java class has its version, which began at 45. */
const mostSlices = 40;

export function recogniseMacho(bytes: Uint8Array): Kind | null {
  const magic = u32be(bytes, 0);
  const form = thin.get(magic);
  if (form !== undefined) {
    const read = form.isBig ? u32be : u32;
    const cpu = cpuNames.get(read(bytes, 4)) ?? 'an unknown machine';
    const type = machoTypes.get(read(bytes, 12)) ?? 'file of unknown type';
    return { id: 'macho', title: `Mach-O ${form.width} ${type} for ${cpu}`, mime: machoMime };
  }
  if (magic !== fatMagic && magic !== fat64Magic) return null;
  const slices = u32be(bytes, 4);
  if (slices > 0 && slices <= mostSlices) {
    const cpus = Array.from({ length: Math.min(slices, 4) }, (_, index) =>
      cpuNames.get(u32be(bytes, 8 + index * (magic === fatMagic ? 20 : 32))),
    ).filter((cpu) => cpu !== undefined);
    return {
      id: 'macho',
      title: `Mach-O universal binary for ${cpus.join(', ') || 'unknown machines'}`,
      mime: machoMime,
    };
  }
  const major = u16be(bytes, 6);
  if (magic !== fatMagic || major < 45) return null;
  return { id: 'class', title: `Java class, version ${major}.${u16be(bytes, 4)}`, mime: 'application/java-vm' };
}
