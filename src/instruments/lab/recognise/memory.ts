import type { Kind } from '../contract.ts';
import { findWord, hasWord } from './bytes.ts';

const pageBytes = 4096;
const leastBytes = 8 * 1024 * 1024;
const mostSearched = 512 * 1024 * 1024;
const kernelWords = ['KDBG', 'Linux version ', 'Darwin Kernel Version', 'ntoskrnl.exe'];

/** The vectors of a PC's firmware lie at the very beginning of its memory. */
function hasVectors(bytes: Uint8Array): boolean {
  return hasWord(bytes, '\x53\xff\0\xf0', 0) && hasWord(bytes, '\x53\xff\0\xf0', 4) && bytes.length >= pageBytes;
}

function alignedPrograms(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length && count < 4; at += pageBytes) {
    if (hasWord(bytes, 'MZ\x90\0', at) || hasWord(bytes, '\x7fELF', at)) count += 1;
  }
  return count;
}

/** Memory without a container: large, made of pages, with programs at the start of pages and the words of a kernel. */
export function recogniseRawMemory(bytes: Uint8Array): Kind | null {
  const mime = 'application/x-memory-image';
  if (hasVectors(bytes)) return { id: 'memory', title: 'raw memory image of a PC', mime };
  if (bytes.length < leastBytes || bytes.length % pageBytes !== 0 || alignedPrograms(bytes) < 3) return null;
  const end = Math.min(bytes.length, mostSearched);
  const isKernel = kernelWords.some((word) => findWord(bytes, word, 0, end) !== -1);
  return isKernel ? { id: 'memory', title: 'raw memory image', mime } : null;
}
