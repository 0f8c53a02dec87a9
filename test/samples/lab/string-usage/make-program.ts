/** Small programs of two or three sections whose code names strings in each of the ways that compilers use. */

export interface MadeProgram {
  readonly bytes: Buffer;
  /** Where the instruction's operand, or the pointer, that names a string lies in memory. */
  readonly places: Readonly<Record<string, number>>;
}

const machines = { x86: 0x14c, x64: 0x8664, arm64: 0xaa64 } as const;
export type MadeMachine = keyof typeof machines;

export const strings = {
  used: 'the used string',
  listed: 'the listed string',
  unused: 'the unused string',
  wide: 'the wide string',
} as const;

const codeAddress = 0x1000;
const dataAddress = 0x2000;
const offsets = { used: 0x40, listed: 0x80, unused: 0xc0, wide: 0x100, table: 0x10 } as const;

function writeCode(machine: MadeMachine, base: number): { code: Buffer; places: Record<string, number> } {
  const code = Buffer.alloc(0x200, machine === 'arm64' ? 0 : 0x90);
  const at = (name: 'used' | 'wide'): number => base + dataAddress + offsets[name];
  if (machine === 'x86') {
    code[0x10] = 0x68;
    code.writeUInt32LE(at('used'), 0x11);
    code[0x20] = 0xb8;
    code.writeUInt32LE(at('wide'), 0x21);
    return { code, places: { used: base + codeAddress + 0x11, wide: base + codeAddress + 0x21 } };
  }
  if (machine === 'x64') {
    const relative = (target: number, operand: number): number => target - (base + codeAddress + operand + 4);
    Buffer.from([0x48, 0x8d, 0x0d]).copy(code, 0x10);
    code.writeInt32LE(relative(at('used'), 0x13), 0x13);
    Buffer.from([0x48, 0x8d, 0x15]).copy(code, 0x20);
    code.writeInt32LE(relative(at('wide'), 0x23), 0x23);
    return { code, places: { used: base + codeAddress + 0x13, wide: base + codeAddress + 0x23 } };
  }
  const page = (base + dataAddress - (base + codeAddress)) / 4096;
  for (const [index, name] of (['used', 'wide'] as const).entries()) {
    const place = 0x10 + index * 0x10;
    code.writeUInt32LE((0x90000000 | ((page & 3) << 29) | ((page >> 2) << 5) | 3) >>> 0, place);
    code.writeUInt32LE(0xd503201f, place + 4);
    code.writeUInt32LE((0x91000000 | (offsets[name] << 10) | (3 << 5)) >>> 0, place + 8);
  }
  return { code, places: { used: base + codeAddress + 0x10, wide: base + codeAddress + 0x20 } };
}

/** A PE of the given machine: `.text` at 0x1000 and `.rdata` at 0x2000. */
export function makeProgram(machine: MadeMachine): MadeProgram {
  const is64 = machine !== 'x86';
  const base = is64 ? 0x140000000 : 0x400000;
  const { code, places } = writeCode(machine, base);
  const data = Buffer.alloc(0x200);
  const listed = base + dataAddress + offsets.listed;
  if (is64) data.writeBigUInt64LE(BigInt(listed), offsets.table);
  else data.writeUInt32LE(listed, offsets.table);
  for (const name of ['used', 'listed', 'unused'] as const) data.write(strings[name], offsets[name], 'latin1');
  data.write(strings.wide, offsets.wide, 'utf16le');
  const header = Buffer.alloc(0x200);
  header.write('MZ');
  header.writeUInt32LE(0x40, 0x3c);
  header.write('PE\0\0', 0x40, 'latin1');
  header.writeUInt16LE(machines[machine], 0x44);
  header.writeUInt16LE(2, 0x46);
  const optionalSize = is64 ? 240 : 224;
  header.writeUInt16LE(optionalSize, 0x54);
  header.writeUInt16LE(0x22, 0x56);
  const optional = 0x58;
  header.writeUInt16LE(is64 ? 0x20b : 0x10b, optional);
  header.writeUInt32LE(codeAddress, optional + 16);
  if (is64) header.writeBigUInt64LE(BigInt(base), optional + 24);
  else header.writeUInt32LE(base, optional + 28);
  header.writeUInt32LE(0x1000, optional + 32);
  header.writeUInt32LE(0x200, optional + 36);
  header.writeUInt32LE(0x3000, optional + 56);
  header.writeUInt32LE(0x200, optional + 60);
  header.writeUInt16LE(3, optional + 68);
  header.writeUInt32LE(16, optional + (is64 ? 108 : 92));
  const sections = [
    { name: '.text', address: codeAddress, offset: 0x200, flags: 0x60000020 },
    { name: '.rdata', address: dataAddress, offset: 0x400, flags: 0x40000040 },
  ];
  for (const [index, { name, address, offset, flags }] of sections.entries()) {
    const place = optional + optionalSize + index * 40;
    header.write(name, place, 'latin1');
    header.writeUInt32LE(0x200, place + 8);
    header.writeUInt32LE(address, place + 12);
    header.writeUInt32LE(0x200, place + 16);
    header.writeUInt32LE(offset, place + 20);
    header.writeUInt32LE(flags, place + 36);
  }
  return {
    bytes: Buffer.concat([header, code, data]),
    places: { ...places, listed: base + dataAddress + offsets.table },
  };
}
