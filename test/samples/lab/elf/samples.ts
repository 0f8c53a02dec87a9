import { noise } from '../pe/writer.ts';
import { type ElfSample, makeElf } from './make-elf.ts';

const buildId = Buffer.from('0123456789abcdef0123456789abcdef01234567', 'hex');
const base: ElfSample = {
  is64: true,
  order: 'little',
  machine: 62,
  interpreter: '/lib64/ld-linux-x86-64.so.2',
  needed: ['libc.so.6', 'libdl.so.2'],
  imports: ['ptrace', 'memfd_create', 'execve', 'socket', 'connect', 'dup2', '__stack_chk_fail', '__printf_chk'],
  exports: ['alpha', 'beta'],
  buildId,
  comment: 'GCC: (Example 1.0) 12.2.0',
};

const goInformation = (): Buffer => {
  const text = (value: string): Buffer =>
    Buffer.concat([
      Buffer.from([
        (value.length & 0x7f) | (value.length > 127 ? 0x80 : 0),
        ...(value.length > 127 ? [value.length >> 7] : []),
      ]),
      Buffer.from(value),
    ]);
  const mark = 'x'.repeat(16);
  const modules = `${mark}path\texample.com/tool\nmod\texample.com/tool\t(devel)\t\ndep\texample.com/library\tv1.2.3\th1:x\nbuild\t-compiler=gc\n${mark}`;
  return Buffer.concat([
    Buffer.from('\xff Go buildinf:', 'latin1'),
    Buffer.from([8, 2]),
    Buffer.alloc(16),
    text('go1.22.1'),
    text(modules),
  ]);
};

export const elfSamples = {
  elf64: (): Buffer => makeElf({ ...base, type: 3, pie: true, bindNow: true, relro: true }),
  elf32: (): Buffer => makeElf({ ...base, is64: false, machine: 3, runpath: '/tmp/lib:$ORIGIN', relro: true }),
  elf64Big: (): Buffer => makeElf({ ...base, order: 'big', machine: 22, executableStack: true }),
  elf32Big: (): Buffer =>
    makeElf({ ...base, is64: false, order: 'big', machine: 8, type: 3, soname: 'libsample.so.1' }),
  /** Where section headers were removed, the dynamic segment still tells everything. */
  noSections: (): Buffer => makeElf({ ...base, noSections: true }),
  go: (): Buffer => makeElf({ is64: true, order: 'little', machine: 183, code: goInformation() }),
  rust: (): Buffer =>
    makeElf({ ...base, code: Buffer.from(`/rustc/${'ab'.repeat(20)}/library/core/src/panicking.rs\0`) }),
  /** The marks of UPX with noise as content: the packer itself is not at hand. */
  upxLayout: (): Buffer =>
    makeElf({
      is64: true,
      order: 'little',
      machine: 62,
      writableCode: true,
      noSections: true,
      code: Buffer.concat([Buffer.from('UPX!\r\x16\x02\n'), noise(8192, 5)]),
    }),
  /** A core dump without memory: only what says whose it is. */
  core: (): Buffer => {
    const process = Buffer.alloc(136);
    process.write('sampled', 40);
    process.write('sampled --serve example.com', 56);
    const notes = [
      { owner: 'CORE', type: 1, content: Buffer.alloc(336) },
      { owner: 'CORE', type: 3, content: process },
    ];
    return makeElf({ is64: true, order: 'little', machine: 62, type: 4, buildId, notes });
  },
  overlay: (): Buffer =>
    makeElf({ ...base, overlay: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), noise(200, 9)]) }),
} as const;
