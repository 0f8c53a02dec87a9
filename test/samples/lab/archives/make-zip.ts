import { crc32, deflateRawSync } from 'node:zlib';

/** Zip files entry by entry, with every field that a hostile one would lie about. */

export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly bytes: Uint8Array;
  readonly isDeflated?: boolean;
  /** What both headers claim instead of the truth. */
  readonly claimedSize?: number;
  readonly claimedCrc?: number;
  /** File mode of Unix, such as 0o120777 for a link. */
  readonly mode?: number;
  /** Points at the data of the entry with this number and stores none of its own. */
  readonly sameAs?: number;
}

const utf8Flag = 0x0800;
const madeOnUnix = (3 << 8) | 20;

export function makeZip(entries: readonly ZipEntry[], comment = ''): Uint8Array {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = entry.isDeflated ? deflateRawSync(entry.bytes, { level: 9 }) : Buffer.from(entry.bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(utf8Flag, 2);
    fields.writeUInt16LE(entry.isDeflated ? 8 : 0, 4);
    fields.writeUInt16LE(0x5821, 8);
    fields.writeUInt32LE(entry.claimedCrc ?? crc32(entry.bytes), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(entry.claimedSize ?? entry.bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const offset = entry.sameAs === undefined ? at : (offsets[entry.sameAs] ?? 0);
    offsets.push(offset);
    if (entry.sameAs === undefined) {
      parts.push(Buffer.from('PK\x03\x04', 'latin1'), fields, name, data);
      at += 30 + name.length + data.length;
    }
    const head = Buffer.alloc(6);
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(madeOnUnix, 4);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(head, fields, tail, name);
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Uint8Array.from(Buffer.concat([...parts, directory, end, Buffer.from(comment)]));
}

/** One small file of zeros that unpacks to very much. */
export function makeBomb(sizeBytes: number, claimedSize = sizeBytes): Uint8Array {
  return makeZip([{ name: 'zeros.bin', bytes: new Uint8Array(sizeBytes), isDeflated: true, claimedSize }]);
}

/** Many names over one piece of data, each of which unpacks again. */
export function makeOverlappingZip(count: number, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  return makeZip(
    Array.from({ length: count }, (_, at) => ({
      name: `copy-${String(at).padStart(5, '0')}`,
      bytes,
      isDeflated: true,
      ...(at === 0 ? {} : { sameAs: 0 }),
    })),
  );
}
