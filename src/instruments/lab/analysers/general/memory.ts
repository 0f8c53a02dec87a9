import type { Analyser, Facts, Json } from '../../contract.ts';
import { findWord, hasWord, latin1, u32 } from '../../recognise/bytes.ts';

const mostSearched = 512 * 1024 * 1024;
const sliceBytes = 16 * 1024 * 1024;
const overlapBytes = 512;

/** Words of kernels, and what follows them up to the end of the line. */
const banners: readonly (readonly [string, string])[] = [
  ['Linux', 'Linux version '],
  ['macOS', 'Darwin Kernel Version '],
  ['Windows', 'KDBG'],
  ['Windows', 'ntkrnlmp.pdb'],
  ['Windows', 'ntoskrnl.exe'],
  ['FreeBSD', 'FreeBSD '],
];

const machines: ReadonlyMap<number, string> = new Map([
  [0x14c, 'x86'],
  [0x8664, 'x86-64'],
  [0xaa64, 'ARM64'],
]);

/** The header of a Windows crash dump says the version, the machine and the number of processors. */
function readCrashDump(bytes: Uint8Array): Facts {
  const isWide = hasWord(bytes, 'PAGEDU64');
  if (!isWide && !hasWord(bytes, 'PAGEDUMP')) return {};
  return {
    windows_build: u32(bytes, 12),
    machine: machines.get(u32(bytes, isWide ? 0x30 : 0x20)) ?? 'unknown',
    processors: u32(bytes, isWide ? 0x34 : 0x24),
  };
}

function bannerText(bytes: Uint8Array, at: number): string {
  return /^[\x20-\x7e]+/.exec(latin1(bytes, at, at + 200))?.[0] ?? '';
}

export const memory: Analyser = {
  id: 'memory',
  title: 'Memory image',
  version: 1,
  kinds: ['memory'],
  depth: 'quick',
  timeoutMs: 30_000,
  analyse({ bytes, kind, tick }) {
    const found: { [key: string]: Json }[] = [];
    const end = Math.min(bytes.length, mostSearched);
    for (const [system, word] of banners) {
      for (let from = 0; from < end; from += sliceBytes) {
        tick();
        const at = findWord(bytes, word, from, Math.min(end, from + sliceBytes + overlapBytes));
        if (at === -1) continue;
        found.push({ system, offset: at, text: bannerText(bytes, at) });
        break;
      }
    }
    const facts = {
      form: kind.title,
      size: bytes.length,
      pages: Math.floor(bytes.length / 4096),
      system: found[0]?.system ?? 'unknown',
      banners: found,
      ...readCrashDump(bytes),
    };
    const notes = end < bytes.length ? [`only the first ${end} bytes were searched`] : [];
    return { facts, findings: [], texts: [], children: [], notes };
  },
};
