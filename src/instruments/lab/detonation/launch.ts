import type { Kind } from '../contract.ts';
import type { KindId } from '../kinds.ts';

/** How a sample is started, by what it is. What cannot be started on Linux is not guessed at. */

export type Launch = { readonly argv: readonly string[] } | { readonly because: string };

const machines: Readonly<Record<number, NodeJS.Architecture>> = { 62: 'x64', 183: 'arm64' };
const programs: Readonly<Partial<Record<KindId, readonly string[]>>> = {
  shell: ['/bin/bash'],
  python: ['/usr/bin/python3'],
  perl: ['/usr/bin/perl'],
  javascript: ['/usr/bin/node'],
  php: ['/usr/bin/php'],
  ruby: ['/usr/bin/ruby'],
  jar: ['/usr/bin/java', '-jar'],
};

function launchElf(bytes: Uint8Array, file: string): Launch {
  const isLittle = bytes[5] === 1;
  const machine = isLittle ? (bytes[18] ?? 0) + (bytes[19] ?? 0) * 256 : (bytes[18] ?? 0) * 256 + (bytes[19] ?? 0);
  const type = isLittle ? bytes[16] : bytes[17];
  if (type !== 2 && type !== 3) return { because: 'this ELF file is no program: nothing in it is started' };
  if (machines[machine] === process.arch) return { argv: [file] };
  return { because: `it is for another processor than this machine has (${process.arch})` };
}

export function planLaunch(kind: Kind, bytes: Uint8Array, file: string): Launch {
  if (kind.id === 'elf') return launchElf(bytes, file);
  const program = programs[kind.id];
  if (program !== undefined) return { argv: [...program, file] };
  return { because: `a ${kind.title} cannot be started on Linux: only ELF programs and scripts are` };
}
