import { crc32 } from 'node:zlib';

/**
 * The smallest archive that programs take for one: entries that are not compressed.
 *
 *     (header name content)*  (directory entry)*  end
 */

function numbers(...values: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const part = Buffer.alloc(bytes);
      part.writeUIntLE(value, 0, bytes);
      return part;
    }),
  );
}

/** 1 January 2025, midnight. */
const [time, date] = [0, 0x5a21] as const;

export function makeArchive(entries: Readonly<Record<string, Uint8Array>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(entries)) {
    const name = Buffer.from(path);
    const size = content.length;
    const shared = numbers([20, 2], [0, 2], [0, 2], [time, 2], [date, 2], [crc32(content), 4], [size, 4], [size, 4]);
    const header = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      shared,
      numbers([name.length, 2], [0, 2]),
      name,
    ]);
    const tail = numbers([name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), numbers([20, 2]), shared, tail, name]));
    parts.push(header, Buffer.from(content));
    offset += header.length + size;
  }
  const listed = Buffer.concat(directory);
  const count = directory.length;
  const end = numbers([0, 2], [0, 2], [count, 2], [count, 2], [listed.length, 4], [offset, 4], [0, 2]);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
