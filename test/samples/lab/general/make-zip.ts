import { crc32 } from 'node:zlib';
import { join, le16, le32, raw } from './build.ts';

export interface ZipFile {
  readonly name: string;
  readonly body?: string | Uint8Array;
}

/** A ZIP archive whose entries are stored as they are. */
export function makeZip(files: readonly ZipFile[], flags = 0): Uint8Array {
  const locals: Uint8Array[] = [];
  const centrals: Uint8Array[] = [];
  let offset = 0;
  for (const { name, body = 'x' } of files) {
    const bytes = typeof body === 'string' ? raw(body) : body;
    const shared = join(
      le16(20),
      le16(flags),
      le16(0),
      le32(0),
      le32(crc32(bytes)),
      le32(bytes.length),
      le32(bytes.length),
    );
    const lengths = join(le16(name.length), le16(0));
    const local = join(raw('PK\x03\x04'), shared, lengths, raw(name), bytes);
    centrals.push(
      join(raw('PK\x01\x02'), le16(20), shared, lengths, le16(0), le16(0), le16(0), le32(0), le32(offset), raw(name)),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = join(...centrals);
  const count = le16(files.length);
  const end = join(raw('PK\x05\x06'), le32(0), count, count, le32(directory.length), le32(offset), le16(0));
  return join(...locals, directory, end);
}
