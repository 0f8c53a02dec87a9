import { rootCertificates } from 'node:tls';
import { writeZip } from '../java/make-java.ts';

/** Android packages, written byte by byte. */

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export interface Element {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly children?: readonly Element[];
}

const ids: Readonly<Record<string, number>> = {
  name: 0x01010003,
  permission: 0x01010006,
  debuggable: 0x0101000f,
  exported: 0x01010010,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
};

function chunk(type: number, header: number, body: Buffer): Buffer {
  return Buffer.concat([u16(type), u16(header), u32(body.length + 8), body]);
}

/** Binary XML; the names of attributes that have ids are left empty, as protectors do. */
export function binaryXml(root: Element, emptyNames = false): Uint8Array {
  const known = Object.keys(ids);
  const strings: string[] = known.map((name) => (emptyNames ? '' : name));
  const index = (text: string): number => {
    const at = strings.indexOf(text, known.length);
    return at >= 0 ? at : strings.push(text) - 1;
  };
  const body: Buffer[] = [];
  const write = ({ name, attributes = {}, children = [] }: Element): void => {
    const rows = Object.entries(attributes).map(([key, value]) => {
      const at = known.includes(key) ? known.indexOf(key) : index(key);
      const text = typeof value === 'string' ? index(value) : 0xffffffff;
      const [type, data] =
        typeof value === 'string'
          ? [3, text]
          : typeof value === 'number'
            ? [0x10, value]
            : [0x12, value ? 0xffffffff : 0];
      return Buffer.concat([u32(0xffffffff), u32(at), u32(text), u16(8), Buffer.from([0, type ?? 0]), u32(data ?? 0)]);
    });
    const node = Buffer.concat([u32(1), u32(0xffffffff)]);
    body.push(
      chunk(
        0x0102,
        16,
        Buffer.concat([
          node,
          u32(0xffffffff),
          u32(index(name)),
          u16(20),
          u16(20),
          u16(rows.length),
          u16(0),
          u16(0),
          u16(0),
          ...rows,
        ]),
      ),
    );
    for (const child of children) write(child);
    body.push(chunk(0x0103, 16, Buffer.concat([node, u32(0xffffffff), u32(index(name))])));
  };
  write(root);
  const encoded = strings.map((text) => Buffer.concat([u16(text.length), Buffer.from(text, 'utf16le'), u16(0)]));
  let offset = 0;
  const offsets = encoded.map((bytes) => {
    const here = u32(offset);
    offset += bytes.length;
    return here;
  });
  const padding = Buffer.alloc((4 - (offset % 4)) % 4);
  const pool = chunk(
    1,
    28,
    Buffer.concat([
      u32(strings.length),
      u32(0),
      u32(0),
      u32(28 + strings.length * 4),
      u32(0),
      ...offsets,
      ...encoded,
      padding,
    ]),
  );
  const map = chunk(0x0180, 8, Buffer.concat(Object.values(ids).map(u32)));
  return chunk(3, 8, Buffer.concat([pool, map, ...body]));
}

export const markerManifest: Element = {
  name: 'manifest',
  attributes: { package: 'com.example.marker', versionCode: 7, versionName: '1.2' },
  children: [
    { name: 'uses-sdk', attributes: { minSdkVersion: 21, targetSdkVersion: 33 } },
    { name: 'uses-permission', attributes: { name: 'android.permission.READ_SMS' } },
    { name: 'uses-permission', attributes: { name: 'android.permission.RECEIVE_BOOT_COMPLETED' } },
    { name: 'uses-permission', attributes: { name: 'android.permission.INTERNET' } },
    {
      name: 'application',
      attributes: { debuggable: true },
      children: [
        {
          name: 'activity',
          attributes: { name: '.Main', exported: true },
          children: [
            {
              name: 'intent-filter',
              children: [{ name: 'action', attributes: { name: 'android.intent.action.MAIN' } }],
            },
          ],
        },
        {
          name: 'service',
          attributes: { name: '.Helper', permission: 'android.permission.BIND_ACCESSIBILITY_SERVICE' },
        },
        {
          name: 'receiver',
          attributes: { name: '.Boot' },
          children: [
            {
              name: 'intent-filter',
              children: [{ name: 'action', attributes: { name: 'android.intent.action.BOOT_COMPLETED' } }],
            },
          ],
        },
      ],
    },
  ],
};

function adler(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

/** Code with one class and two calls. */
export function markerDex(): Uint8Array {
  const strings = [
    'Landroid/telephony/SmsManager;',
    'Lcom/example/Marker;',
    'Ldalvik/system/DexClassLoader;',
    '<init>',
    'http://dex.example.com/',
    'sendTextMessage',
  ];
  const types = [0, 1, 2];
  const methods = [
    [0, 5],
    [2, 3],
  ] as const;
  const start = 112;
  const [typeAt, methodAt] = [start + strings.length * 4, start + strings.length * 4 + types.length * 4];
  const classAt = methodAt + methods.length * 8;
  let at = classAt + 32;
  const data = strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text), Buffer.from([0])]));
  const offsets = data.map((bytes) => {
    const here = u32(at);
    at += bytes.length;
    return here;
  });
  const rest = Buffer.concat([
    Buffer.alloc(20),
    ...[
      at,
      112,
      0x12345678,
      0,
      0,
      0,
      strings.length,
      start,
      types.length,
      typeAt,
      0,
      0,
      0,
      0,
      methods.length,
      methodAt,
      1,
      classAt,
      0,
      0,
    ].map(u32),
    ...offsets,
    ...types.map(u32),
    ...methods.map(([type, name]) => Buffer.concat([u16(type), u16(0), u32(name)])),
    u32(1),
    Buffer.alloc(28),
    ...data,
  ]);
  return Buffer.concat([Buffer.from('dex\n035\0'), u32(adler(rest)), rest]);
}

/** A signing block of scheme 2 that holds a certificate, though no valid signature. */
function signingBlock(): Uint8Array {
  const pem = rootCertificates[0] ?? '';
  const certificate = Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
  const value = Buffer.concat([u32(0x7109871a), u32(certificate.length), certificate]);
  const long = (size: number): Buffer => Buffer.concat([u32(size), u32(0)]);
  const size = 8 + value.length + 24;
  return Buffer.concat([long(size), long(value.length), value, long(size), Buffer.from('APK Sig Block 42')]);
}

export const markerApk = (emptyNames = false): Uint8Array =>
  writeZip(
    {
      'AndroidManifest.xml': binaryXml(markerManifest, emptyNames),
      'classes.dex': markerDex(),
      'assets/data.bin': markerDex(),
      'lib/arm64-v8a/libmarker.so': Buffer.from('\x7fELF marker of a library'),
      'res/raw/readme.txt': Buffer.from('nothing here'),
    },
    signingBlock(),
  );
