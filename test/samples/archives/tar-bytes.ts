import { gzipSync } from 'node:zlib';

/** Writes tar archives byte by byte, so that every field can lie. */

export interface TarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly type?: string;
  readonly link?: string;
  readonly mode?: number;
  /** What the header says, when it is not the truth. */
  readonly size?: number;
  /** Raw bytes of the size field. */
  readonly rawSize?: Buffer;
  readonly prefix?: string;
  readonly magic?: string;
  readonly isChecksumWrong?: boolean;
}

const block = 512;

export function tarHeader(entry: TarEntry): Buffer {
  const header = Buffer.alloc(block);
  const content = Buffer.from(entry.content ?? '');
  Buffer.from(entry.name).copy(header, 0, 0, 100);
  header.write(`${(entry.mode ?? 0o644).toString(8).padStart(7, '0')}\0`, 100, 'latin1');
  header.write('0000000\0'.repeat(2), 108, 'latin1');
  header.write(`${(entry.size ?? content.length).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  entry.rawSize?.copy(header, 124, 0, 12);
  header.write('00000000000\0', 136, 'latin1');
  header.write(entry.type ?? '0', 156, 'latin1');
  header.write(entry.link ?? '', 157, 100, 'utf8');
  header.write(entry.magic ?? 'ustar\x0000', 257, 'latin1');
  header.write(entry.prefix ?? '', 345, 155, 'utf8');
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0) + (entry.isChecksumWrong ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

export function tarEntry(entry: TarEntry): Buffer {
  const content = Buffer.from(entry.content ?? '');
  return Buffer.concat([tarHeader(entry), content, Buffer.alloc((block - (content.length % block)) % block)]);
}

export const tarEnd = Buffer.alloc(2 * block);

export function tar(...entries: readonly (TarEntry | Buffer)[]): Buffer {
  return Buffer.concat([...entries.map((entry) => (Buffer.isBuffer(entry) ? entry : tarEntry(entry))), tarEnd]);
}

export function tgz(...entries: readonly (TarEntry | Buffer)[]): Buffer {
  return gzipSync(tar(...entries));
}

/** One record of an extended header. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (Buffer.byteLength(String(length)) + Buffer.byteLength(rest) !== length) length += 1;
  return `${length}${rest}`;
}

export function pax(records: Readonly<Record<string, string>>, type: 'x' | 'g' = 'x'): TarEntry {
  const content = Object.entries(records)
    .map(([key, value]) => paxRecord(key, value))
    .join('');
  return { name: 'PaxHeader', type, content };
}

export function gnuLong(value: string, type: 'L' | 'K' = 'L'): TarEntry {
  return { name: '././@LongLink', type, content: `${value}\0`, magic: 'ustar  \0' };
}
