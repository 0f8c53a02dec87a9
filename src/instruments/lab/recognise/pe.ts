import type { Kind } from '../contract.ts';
import { hasWord, u16, u32 } from './bytes.ts';

const machines: ReadonlyMap<number, string> = new Map([
  [0x14c, 'x86'],
  [0x8664, 'x86-64'],
  [0x1c0, 'ARM'],
  [0x1c4, 'ARM'],
  [0xaa64, 'ARM64'],
  [0x200, 'Itanium'],
  [0xebc, 'EFI byte code'],
  [0x5032, 'RISC-V'],
  [0x5064, 'RISC-V'],
]);

const subsystems: ReadonlyMap<number, string> = new Map([
  [1, 'native'],
  [2, 'window'],
  [3, 'console'],
  [9, 'Windows CE'],
  [10, 'EFI application'],
  [11, 'EFI driver'],
  [12, 'EFI driver'],
  [16, 'boot application'],
]);

const dllFlag = 0x2000;
const clrDirectory = 14;

/** Both magics at the places that the loader looks at; what has `MZ` alone is no PE. */
export function recognisePe(bytes: Uint8Array): Kind | null {
  if (!hasWord(bytes, 'MZ') && !hasWord(bytes, 'ZM')) return null;
  const header = u32(bytes, 0x3c);
  if (header < 4 || !hasWord(bytes, 'PE\0\0', header)) return null;
  const optional = header + 24;
  const magic = u16(bytes, optional);
  const isWide = magic === 0x20b;
  const machine = machines.get(u16(bytes, header + 4)) ?? 'an unknown machine';
  const use = subsystems.get(u16(bytes, optional + 68)) ?? 'unknown subsystem';
  const what = (u16(bytes, header + 22) & dllFlag) !== 0 ? 'library' : use.includes('native') ? 'driver' : 'executable';
  const directories = optional + (isWide ? 112 : 96);
  const count = u32(bytes, directories - 4);
  const hasClr = count > clrDirectory && u32(bytes, directories + clrDirectory * 8) > 0;
  const form = isWide ? 'PE32+' : magic === 0x10b ? 'PE32' : 'PE';
  const mime = 'application/vnd.microsoft.portable-executable';
  if (hasClr) return { id: 'dotnet', title: `${form} .NET ${what} (${use})`, mime };
  return { id: 'pe', title: `${form} ${what} for ${machine} (${use})`, mime };
}

/** An executable of MS-DOS or 16-bit Windows: `MZ` with a plausible header, but no PE. */
export function recogniseDos(bytes: Uint8Array): Kind | null {
  if (!hasWord(bytes, 'MZ') || bytes.length < 64) return null;
  const pages = u16(bytes, 4);
  const paragraphs = u16(bytes, 8);
  if (pages < 1 || paragraphs < 2 || paragraphs * 16 > bytes.length) return null;
  const header = u32(bytes, 0x3c);
  const isNe = hasWord(bytes, 'NE', header);
  const isLe = hasWord(bytes, 'LE', header) || hasWord(bytes, 'LX', header);
  const form = isNe ? '16-bit Windows executable (NE)' : isLe ? 'linear executable (LE)' : 'MS-DOS executable (MZ)';
  return { id: 'data', title: form, mime: 'application/x-dosexec' };
}
