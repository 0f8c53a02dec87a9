/** Windows shortcuts, written byte by byte. */

export interface LnkParts {
  readonly localPath?: string;
  readonly relativePath?: string;
  readonly arguments?: string;
  readonly icon?: string;
  readonly show?: number;
  readonly environment?: string;
  readonly machine?: string;
  readonly appended?: Uint8Array;
}

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

function counted(text: string): Buffer {
  return Buffer.concat([u16(text.length), Buffer.from(text, 'utf16le')]);
}

function item(type: number, body: Buffer): Buffer {
  return Buffer.concat([u16(body.length + 3), Buffer.from([type]), body]);
}

/** Root, drive and a file with its long name. */
function idList(drive: string, short: string, long: string): Buffer {
  const computer = Buffer.from('e04fd020ea3a6910a2d808002b30309d', 'hex');
  const name = Buffer.from(`${long}\0`, 'utf16le');
  const block = Buffer.concat([
    u16(22 + name.length),
    u16(3),
    u32(0xbeef0004),
    u32(0x58216d42),
    u32(0x58216d42),
    u16(0x14),
    u16(0),
    name,
    u16(0x18),
  ]);
  const shortName = Buffer.from(`${short}\0${short.length % 2 === 0 ? '\0' : ''}`, 'latin1');
  const file = Buffer.concat([Buffer.from([0]), u32(1234), u32(0x58216d42), u16(0x20), shortName, block]);
  const items = [
    item(0x1f, Buffer.concat([Buffer.from([0x50]), computer])),
    item(0x2f, Buffer.from(`${drive}\0`, 'latin1')),
    item(0x32, file),
    u16(0),
  ];
  const joined = Buffer.concat(items);
  return Buffer.concat([u16(joined.length), joined]);
}

function linkInfo(path: string): Buffer {
  const volume = Buffer.concat([u32(0x15), u32(3), u32(0xdeadbeef), u32(0x10), Buffer.from('DISK\0', 'latin1')]);
  const local = Buffer.from(`${path}\0`, 'latin1');
  const size = 0x1c + volume.length + local.length + 1;
  return Buffer.concat([
    u32(size),
    u32(0x1c),
    u32(1),
    u32(0x1c),
    u32(0x1c + volume.length),
    u32(0),
    u32(size - 1),
    volume,
    local,
    Buffer.from([0]),
  ]);
}

function tracker(machine: string): Buffer {
  const name = Buffer.alloc(16);
  name.write(machine, 'latin1');
  const volume = Buffer.alloc(16, 0x11);
  // A version 1 id with the card 02:00:5e:10:20:30.
  const file = Buffer.from('c0a6d1d0b1e8ee11800002005e102030', 'hex');
  return Buffer.concat([u32(0x60), u32(0xa0000003), u32(0x58), u32(0), name, volume, file, volume, file]);
}

function environment(path: string): Buffer {
  const narrow = Buffer.alloc(260);
  narrow.write(path, 'latin1');
  const wide = Buffer.alloc(520);
  wide.write(path, 'utf16le');
  return Buffer.concat([u32(0x314), u32(0xa0000001), narrow, wide]);
}

export function makeLnk(parts: LnkParts): Uint8Array {
  const path = parts.localPath;
  const bit = (value: unknown, flag: number): number => (value === undefined ? 0 : flag);
  const flags =
    bit(path, 3) |
    bit(parts.relativePath, 8) |
    bit(parts.arguments, 0x20) |
    bit(parts.icon, 0x40) |
    0x80 |
    bit(parts.environment, 0x200);
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(path === undefined ? 0n : 133_500_000_000_000_000n);
  const header = Buffer.concat([
    u32(0x4c),
    Buffer.from('0114020000000000c000000000000046', 'hex'),
    u32(flags),
    u32(0x20),
    time,
    time,
    time,
    u32(4096),
    u32(2),
    u32(parts.show ?? 1),
    u16(0x0641),
    Buffer.alloc(10),
  ]);
  const strings = [parts.relativePath, parts.arguments, parts.icon].filter((text) => text !== undefined).map(counted);
  return Buffer.concat([
    header,
    ...(path === undefined ? [] : [idList('C:\\', 'CMD~1.EXE', path.split('\\').pop() ?? ''), linkInfo(path)]),
    ...strings,
    ...(parts.environment === undefined ? [] : [environment(parts.environment)]),
    ...(parts.machine === undefined ? [] : [tracker(parts.machine)]),
    u32(0),
    ...(parts.appended === undefined ? [] : [parts.appended]),
  ]);
}

const hiddenCommand = Buffer.from('Write-Output "http://lnk.example.com/p"', 'utf16le').toString('base64');

export function plainLnk(): Uint8Array {
  return makeLnk({ localPath: 'C:\\Tools\\editor.exe', relativePath: '.\\editor.exe', machine: 'workstation-7' });
}

/** Starts PowerShell, hides its arguments behind blanks and looks like a document. */
export function trickLnk(): Uint8Array {
  return makeLnk({
    localPath: 'C:\\Windows\\System32\\cmd.exe',
    arguments: `${' '.repeat(300)}/c powershell -nop -w hidden -enc ${hiddenCommand}`,
    icon: 'C:\\Program Files\\Reader\\AcroRd32.exe',
    show: 7,
    environment: '%windir%\\System32\\cmd.exe',
    appended: Buffer.from('PK\x03\x04 appended marker of an archive', 'latin1'),
  });
}
