import { crc32 } from 'node:zlib';

/** RAR archives with stored (uncompressed) files, written by hand: no free tool writes them. */

export interface RarFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

function variable(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return Buffer.from(bytes);
}

function little(value: number, width: 2 | 4): Buffer {
  const bytes = Buffer.alloc(width);
  bytes.writeUIntLE(value, 0, width);
  return bytes;
}

/** A RAR 5 header: checksum, size, then what it says. */
function block5(fields: readonly Buffer[]): Buffer {
  const body = Buffer.concat(fields);
  const sized = Buffer.concat([variable(body.length), body]);
  return Buffer.concat([little(crc32(sized), 4), sized]);
}

export function makeRar5(files: readonly RarFile[]): Uint8Array {
  const parts = [Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'), block5([variable(1), variable(0), variable(0)])];
  for (const { name, bytes } of files) {
    const path = Buffer.from(name);
    parts.push(
      block5([
        variable(2), // file header
        variable(2), // with data
        variable(bytes.length),
        variable(4), // with a checksum
        variable(bytes.length),
        variable(0o100644),
        little(crc32(bytes), 4),
        variable(0), // stored
        variable(1), // made on Unix
        variable(path.length),
        path,
      ]),
      Buffer.from(bytes),
    );
  }
  parts.push(block5([variable(5), variable(0), variable(0)]));
  return Uint8Array.from(Buffer.concat(parts));
}

/** A RAR 4 header: the low half of a checksum, then what it says. */
function block4(fields: readonly Buffer[]): Buffer {
  const body = Buffer.concat(fields);
  return Buffer.concat([little(crc32(body) & 0xffff, 2), body]);
}

export function makeRar4(files: readonly RarFile[]): Uint8Array {
  const main = [Buffer.from([0x73]), little(0, 2), little(13, 2), Buffer.alloc(6)];
  const parts = [Buffer.from('Rar!\x1a\x07\x00', 'latin1'), block4(main)];
  for (const { name, bytes } of files) {
    const path = Buffer.from(name);
    parts.push(
      block4([
        Buffer.from([0x74]),
        little(0x8000, 2), // with data
        little(32 + path.length, 2),
        little(bytes.length, 4),
        little(bytes.length, 4),
        Buffer.from([3]), // made on Unix
        little(crc32(bytes), 4),
        little(0x5821, 2),
        little(0x5821, 2),
        Buffer.from([29, 0x30]), // stored
        little(path.length, 2),
        little(0o100644, 4),
        path,
      ]),
      Buffer.from(bytes),
    );
  }
  parts.push(block4([Buffer.from([0x7b]), little(0x4000, 2), little(7, 2)]));
  return Uint8Array.from(Buffer.concat(parts));
}
