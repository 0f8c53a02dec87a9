import { u16, u32 } from '../office/bytes.ts';

/** The compression of RTF bodies in Outlook messages: a ring of 4096 bytes that begins with common words. */

const common =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const ringBytes = 4096;
const compressed = 0x75465a4c;
const plain = 0x414c454d;
const maximalBytes = 8 * 1024 * 1024;

export function decompressRtf(bytes: Uint8Array, tick: () => void): Uint8Array {
  const type = u32(bytes, 8);
  const size = Math.min(u32(bytes, 4), maximalBytes, bytes.length * 24);
  if (type === plain) return bytes.subarray(16, 16 + size);
  if (type !== compressed) return new Uint8Array();
  const ring = new Uint8Array(ringBytes);
  ring.set(Buffer.from(common, 'latin1'));
  let write = common.length;
  const out = new Uint8Array(size);
  let written = 0;
  const put = (value: number): void => {
    if (written < size) out[written++] = value;
    ring[write] = value;
    write = (write + 1) % ringBytes;
  };
  for (let at = 16; at < bytes.length && written < size; ) {
    tick();
    const flags = bytes[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < bytes.length && written < size; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        put(bytes[at++] ?? 0);
        continue;
      }
      const token = (u16(bytes, at) >> 8) | ((u16(bytes, at) & 0xff) << 8);
      at += 2;
      const offset = token >> 4;
      // A reference to the place that is written next is the end.
      if (offset === write) return out.subarray(0, written);
      for (let index = 0; index < (token & 15) + 2; index += 1) put(ring[(offset + index) % ringBytes] ?? 0);
    }
  }
  return out.subarray(0, written);
}
