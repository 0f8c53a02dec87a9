import { hasWord, u16, u32 } from '../../recognise/bytes.ts';

const mostSections = 96;

/** How long the PE at `at` is by its section table; 0 when there is none. What is signed ends behind its certificates. */
export function peSize(bytes: Uint8Array, at: number): number {
  const header = at + u32(bytes, at + 0x3c);
  if (!hasWord(bytes, 'MZ', at) || header < at + 4 || !hasWord(bytes, 'PE\0\0', header)) return 0;
  const count = Math.min(u16(bytes, header + 6), mostSections);
  const optional = u16(bytes, header + 20);
  const isWide = u16(bytes, header + 24) === 0x20b;
  let end = header - at + 24 + optional + count * 40;
  for (let index = 0; index < count; index += 1) {
    const section = header + 24 + optional + index * 40;
    const [size, place] = [u32(bytes, section + 16), u32(bytes, section + 20)];
    if (size > 0 && place > 0) end = Math.max(end, place + size);
  }
  const certificates = header + 24 + (isWide ? 112 : 96) + 4 * 8;
  const [place, size] = [u32(bytes, certificates), u32(bytes, certificates + 4)];
  if (place === end && size > 0) end += size;
  return Math.min(end, bytes.length - at);
}
