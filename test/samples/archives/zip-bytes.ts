import { crc32, deflateRawSync } from 'node:zlib';

/** Writes zip archives byte by byte, so that every field can lie. */

export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly isStored?: boolean;
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly localName?: string;
  readonly claimedSize?: number;
  readonly claimedCompressedSize?: number;
  readonly claimedChecksum?: number;
  /** Where the central directory says that the entry begins, when it is not the truth. */
  readonly offset?: number;
  readonly extra?: Buffer;
  /** In the central directory only. */
  readonly isWithoutData?: boolean;
}

interface Fields {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly extra: Buffer;
}

function common(fields: Fields): Buffer {
  const part = Buffer.alloc(26);
  part.writeUInt16LE(20, 0);
  part.writeUInt16LE(fields.flags, 2);
  part.writeUInt16LE(fields.method, 4);
  part.writeUInt16LE(0x21, 8);
  part.writeUInt32LE(fields.checksum >>> 0, 10);
  part.writeUInt32LE(fields.packed, 14);
  part.writeUInt32LE(fields.size, 18);
  part.writeUInt16LE(fields.name.length, 22);
  part.writeUInt16LE(fields.extra.length, 24);
  return part;
}

export interface ZipOptions {
  readonly claimedEntries?: number;
  readonly comment?: string;
  /** Says 64-bit sizes and where they are, with these values. */
  readonly zip64?: { readonly entries: bigint; readonly offset?: bigint };
}

function end64(entries: bigint, at: bigint, offset: bigint): Buffer {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(entries, 24);
  record.writeBigUInt64LE(entries, 32);
  record.writeBigUInt64LE(offset, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(at, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

export function zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.isStored ? content : deflateRawSync(content);
    const fields: Fields = {
      name: Buffer.from(entry.name),
      flags: entry.flags ?? 0x800,
      method: entry.method ?? (entry.isStored ? 0 : 8),
      checksum: entry.claimedChecksum ?? crc32(content),
      packed: entry.claimedCompressedSize ?? packed.length,
      size: entry.claimedSize ?? content.length,
      extra: entry.extra ?? Buffer.alloc(0),
    };
    const localName = Buffer.from(entry.localName ?? fields.name);
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      common({ ...fields, name: localName, extra: Buffer.alloc(0) }),
      localName,
      packed,
    ]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    tail.writeUInt32LE(entry.offset ?? at, 10);
    centrals.push(
      Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 3]), common(fields), tail, fields.name, fields.extra]),
    );
    if (entry.isWithoutData) continue;
    locals.push(local);
    at += local.length;
  }
  const central = Buffer.concat(centrals);
  const comment = Buffer.from(options.comment ?? '');
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const count = options.claimedEntries ?? entries.length;
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  const { zip64 } = options;
  const wide =
    zip64 === undefined
      ? Buffer.alloc(0)
      : end64(zip64.entries, BigInt(at + central.length), zip64.offset ?? BigInt(at));
  return Buffer.concat([...locals, central, wide, end, comment]);
}
