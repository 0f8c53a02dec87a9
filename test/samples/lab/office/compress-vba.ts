/** Writes the compression of VBA sources, so that the reader is tried with what it did not write itself. */

const chunkBytes = 4096;

function offsetBits(position: number): number {
  let bits = 4;
  while (2 ** bits < position) bits += 1;
  return bits;
}

/** The longest earlier match in the chunk; zero where there is none of three bytes. */
function matchAt(chunk: Buffer, at: number): { offset: number; length: number } {
  const longest = Math.min((0xffff >> offsetBits(at)) + 3, chunk.length - at);
  let best = { offset: 0, length: 0 };
  for (let from = at - 1; from >= 0; from -= 1) {
    let length = 0;
    while (length < longest && chunk[from + length] === chunk[at + length]) length += 1;
    if (length > best.length) best = { offset: at - from, length };
  }
  return best.length >= 3 ? best : { offset: 0, length: 0 };
}

function compressChunk(chunk: Buffer): Buffer {
  const groups: Buffer[] = [];
  for (let at = 0; at < chunk.length; ) {
    let flags = 0;
    const tokens: Buffer[] = [];
    for (let bit = 0; bit < 8 && at < chunk.length; bit += 1) {
      const { offset, length } = at === 0 ? { offset: 0, length: 0 } : matchAt(chunk, at);
      if (length === 0) {
        tokens.push(chunk.subarray(at, at + 1));
        at += 1;
        continue;
      }
      flags |= 1 << bit;
      const token = Buffer.alloc(2);
      token.writeUInt16LE(((offset - 1) << (16 - offsetBits(at))) | (length - 3), 0);
      tokens.push(token);
      at += length;
    }
    groups.push(Buffer.from([flags]), ...tokens);
  }
  const body = Buffer.concat(groups);
  const header = Buffer.alloc(2);
  header.writeUInt16LE(0xb000 | (body.length + 2 - 3), 0);
  return Buffer.concat([header, body]);
}

export function compressVba(source: Buffer | string): Buffer {
  const bytes = Buffer.from(source);
  const chunks: Buffer[] = [Buffer.from([1])];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(compressChunk(bytes.subarray(at, at + chunkBytes)));
  return Buffer.concat(chunks);
}
