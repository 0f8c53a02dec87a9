import { crc32, deflateRawSync } from 'node:zlib';

/** Java classes and archives, written byte by byte. */

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export interface ClassParts {
  readonly name: string;
  readonly calls: readonly (readonly [string, string])[];
  readonly strings: readonly string[];
}

/** A class for Java 8 whose pool names methods and texts; it has one method without code. */
export function makeClass({ name, calls, strings }: ClassParts): Uint8Array {
  const pool: Buffer[] = [];
  const add = (entry: Buffer): number => pool.push(entry);
  const utf8 = (text: string): number => {
    const bytes = Buffer.from(text, 'utf8');
    return add(Buffer.concat([Buffer.from([1]), u16(bytes.length), bytes]));
  };
  const classOf = (text: string): number => add(Buffer.concat([Buffer.from([7]), u16(utf8(text))]));
  const mine = classOf(name);
  const parent = classOf('java/lang/Object');
  const face = classOf('java/lang/Runnable');
  for (const text of strings) add(Buffer.concat([Buffer.from([8]), u16(utf8(text))]));
  // A long takes two places: readers that forget it lose count.
  add(Buffer.concat([Buffer.from([5]), Buffer.alloc(8, 1)]));
  pool.push(Buffer.alloc(0));
  for (const [owner, method] of calls) {
    const pair = Buffer.concat([Buffer.from([12]), u16(utf8(method)), u16(utf8('()V'))]);
    const [holder, described] = [classOf(owner), add(pair)];
    add(Buffer.concat([Buffer.from([10]), u16(holder), u16(described)]));
  }
  const [method, descriptor, attribute, source] = ['run', '()V', 'SourceFile', 'Marker.java'].map(utf8);
  return Buffer.concat([
    Buffer.from('cafebabe00000034', 'hex'),
    u16(pool.length + 1),
    ...pool,
    ...[
      0x21,
      mine,
      parent,
      1,
      face,
      0,
      1,
      0x401,
      method ?? 0,
      descriptor ?? 0,
      0,
      1,
      attribute ?? 0,
      0,
      2,
      source ?? 0,
    ].map(u16),
  ]);
}

export const markerClass = (): Uint8Array =>
  makeClass({
    name: 'com/example/Marker',
    calls: [
      ['java/lang/Runtime', 'exec'],
      ['java/net/URLClassLoader', '<init>'],
      ['java/util/List', 'size'],
    ],
    strings: ['http://jar.example.com/next', 'plain'],
  });

/** A ZIP of deflated entries; `between` stands in front of the directory. */
export function writeZip(
  files: Readonly<Record<string, Uint8Array>>,
  between: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const out: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const label = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x6000, 6);
    common.writeUInt16LE(0x5821, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, label, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), common, tail, label]));
    out.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset + between.length, 16);
  return Buffer.concat([...out, between, listed, end]);
}

export const markerJar = (): Uint8Array =>
  writeZip({
    'META-INF/MANIFEST.MF': Buffer.from(
      'Manifest-Version: 1.0\r\nMain-Class: com.example.Mar\r\n ker\r\nCreated-By: marker\r\n\r\n',
    ),
    'com/example/Marker.class': markerClass(),
    'lib/inner.jar': writeZip({ 'a.txt': Buffer.from('inner marker') }),
  });
