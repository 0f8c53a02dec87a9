/** Captures of conversations that never took place, between addresses kept for documentation. */

function u16(value: number): number[] {
  return [(value >> 8) & 255, value & 255];
}

function u32(value: number): number[] {
  return [...u16(value >>> 16), ...u16(value & 0xffff)];
}

const bytesOf = (text: string): number[] => [...Buffer.from(text, 'latin1')];
const address = (text: string): number[] => text.split('.').map(Number);

export interface Frame {
  readonly time: number;
  readonly bytes: Uint8Array;
}

function frame(time: number, source: string, target: string, protocol: number, body: readonly number[]): Frame {
  const ip = [
    0x45,
    0,
    ...u16(20 + body.length),
    0,
    1,
    0x40,
    0,
    64,
    protocol,
    0,
    0,
    ...address(source),
    ...address(target),
  ];
  return { time, bytes: Uint8Array.from([2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0, ...ip, ...body]) };
}

export function udp(
  time: number,
  from: readonly [string, number],
  to: readonly [string, number],
  payload: readonly number[],
): Frame {
  return frame(time, from[0], to[0], 17, [
    ...u16(from[1]),
    ...u16(to[1]),
    ...u16(8 + payload.length),
    0,
    0,
    ...payload,
  ]);
}

/** A whole connection: handshake, what both say in pieces of 1000 bytes, and the end. */
export function tcp(
  time: number,
  from: readonly [string, number],
  to: readonly [string, number],
  sent: readonly number[],
  answered: readonly number[],
): Frame[] {
  const frames: Frame[] = [];
  let [mine, theirs, at] = [1000, 5_000_000, time];
  const push = (client: boolean, flags: number, payload: readonly number[]): void => {
    const [here, there] = client ? [from, to] : [to, from];
    const [sequence, acknowledged] = client ? [mine, theirs] : [theirs, mine];
    const head = [
      ...u16(here[1]),
      ...u16(there[1]),
      ...u32(sequence),
      ...u32(acknowledged),
      0x50,
      flags,
      0xff,
      0xff,
      0,
      0,
      0,
      0,
    ];
    frames.push(frame(at, here[0], there[0], 6, [...head, ...payload]));
    const used = payload.length + ((flags & 3) !== 0 ? 1 : 0);
    if (client) mine += used;
    else theirs += used;
    at += 0.001;
  };
  push(true, 2, []);
  push(false, 18, []);
  push(true, 16, []);
  for (let offset = 0; offset < sent.length; offset += 1000) push(true, 24, sent.slice(offset, offset + 1000));
  for (let offset = 0; offset < answered.length; offset += 1000) push(false, 24, answered.slice(offset, offset + 1000));
  push(true, 17, []);
  push(false, 17, []);
  return frames;
}

export function writePcap(frames: readonly Frame[], { little = true, nano = false } = {}): Uint8Array {
  const out: Buffer[] = [];
  const number = (value: number): void => {
    const bytes = Buffer.alloc(4);
    if (little) bytes.writeUInt32LE(value >>> 0);
    else bytes.writeUInt32BE(value >>> 0);
    out.push(bytes);
  };
  number(nano ? 0xa1b23c4d : 0xa1b2c3d4);
  number(little ? 0x0004_0002 : 0x0002_0004);
  for (const value of [0, 0, 262_144, 1]) number(value);
  for (const { time, bytes } of frames) {
    number(Math.floor(time));
    number(Math.round((time % 1) * (nano ? 1e9 : 1e6)));
    number(bytes.length);
    number(bytes.length);
    out.push(Buffer.from(bytes));
  }
  return Buffer.concat(out);
}

export function writePcapNg(frames: readonly Frame[]): Uint8Array {
  const block = (type: number, body: Buffer): Buffer => {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(type);
    head.writeUInt32LE(padded.length + 12, 4);
    return Buffer.concat([head, padded, head.subarray(4)]);
  };
  const section = Buffer.from('4d3c2b1a01000000ffffffffffffffff', 'hex');
  const link = Buffer.from('0100000000000400', 'hex');
  const packets = frames.map(({ time, bytes }) => {
    const ticks = BigInt(Math.round(time * 1e6));
    const head = Buffer.alloc(20);
    head.writeUInt32LE(Number(ticks >> 32n), 4);
    head.writeUInt32LE(Number(ticks & 0xffff_ffffn), 8);
    head.writeUInt32LE(bytes.length, 12);
    head.writeUInt32LE(bytes.length, 16);
    return block(6, Buffer.concat([head, bytes]));
  });
  return Buffer.concat([block(0x0a0d0d0a, section), block(1, link), ...packets]);
}

const name = (text: string): number[] => [...text.split('.').flatMap((label) => [label.length, ...bytesOf(label)]), 0];

const extension = (type: number, data: readonly number[]): number[] => [...u16(type), ...u16(data.length), ...data];
const counted16 = (values: readonly number[]): number[] => [...u16(values.length * 2), ...values.flatMap(u16)];

/** The client of the public description of JA4: `t13d1516h2_8daaf6152771_e5627efa2ab1`. */
export function clientHello(host: string): number[] {
  const ciphers = [
    0x2a2a, 0x1301, 0x1302, 0x1303, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c, 0x009d,
    0x002f, 0x0035,
  ];
  const algorithms = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601];
  const extensions = [
    ...extension(0x3a3a, []),
    ...extension(0, [...u16(host.length + 3), 0, ...u16(host.length), ...bytesOf(host)]),
    ...extension(0x17, []),
    ...extension(0xff01, [0]),
    ...extension(10, counted16([0x4a4a, 0x001d, 0x0017, 0x0018])),
    ...extension(11, [1, 0]),
    ...extension(0x23, []),
    ...extension(16, [0, 12, 2, ...bytesOf('h2'), 8, ...bytesOf('http/1.1')]),
    ...extension(5, [1, 0, 0, 0, 0]),
    ...extension(13, counted16(algorithms)),
    ...extension(0x12, []),
    ...extension(0x33, [0, 0]),
    ...extension(0x2d, [1, 1]),
    ...extension(0x2b, [6, 0x5a, 0x5a, 3, 4, 3, 3]),
    ...extension(0x1b, [2, 0, 2]),
    ...extension(0x4469, [0, 3, 2, ...bytesOf('h2')]),
    ...extension(0x15, [0, 0, 0]),
  ];
  const body = [
    3,
    3,
    ...Array.from({ length: 32 }, (_, index) => index),
    0,
    ...counted16(ciphers),
    1,
    0,
    ...u16(extensions.length),
    ...extensions,
  ];
  const message = [1, 0, ...u16(body.length), ...body];
  return [22, 3, 1, ...u16(message.length), ...message];
}

function serverHello(): number[] {
  const extensions = [...extension(0x2b, [3, 4]), ...extension(0x33, [0, 0x1d, 0, 1, 7])];
  const body = [
    3,
    3,
    ...Array.from({ length: 32 }, () => 9),
    0,
    0x13,
    0x01,
    0,
    ...u16(extensions.length),
    ...extensions,
  ];
  const message = [2, 0, ...u16(body.length), ...body];
  return [22, 3, 3, ...u16(message.length), ...message];
}

const client = '192.0.2.10';

export function mixedFrames(): Frame[] {
  const start = 1_700_000_000;
  const query = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...name('marker.example.com'), 0, 1, 0, 1];
  const answer = [
    0x12,
    0x34,
    0x81,
    0x80,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    0,
    ...name('marker.example.com'),
    0,
    1,
    0,
    1,
    0xc0,
    12,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    4,
    198,
    51,
    100,
    7,
  ];
  const program = `MZ${'p'.repeat(2500)}`;
  const request =
    'GET /files/tool.exe?x=1 HTTP/1.1\r\nHost: marker.example.com\r\nUser-Agent: marker-agent/1.0\r\nAuthorization: Basic dXNlcjpzZWNyZXQ=\r\n\r\n';
  const response = `HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nServer: marker\r\nContent-Length: ${program.length}\r\n\r\n${program}`;
  const beacons = Array.from({ length: 6 }, (_, index) =>
    tcp(
      start + 100 + index * 60,
      [client, 41_000 + index],
      ['203.0.113.5', 4444],
      bytesOf('hello, this is a marker\n'),
      bytesOf('ok\n'),
    ),
  ).flat();
  return [
    udp(start, [client, 40_000], ['192.0.2.53', 53], query),
    udp(start + 0.01, ['192.0.2.53', 53], [client, 40_000], answer),
    ...tcp(start + 1, [client, 40_001], ['198.51.100.7', 80], bytesOf(request), bytesOf(response)),
    ...tcp(start + 2, [client, 40_002], ['198.51.100.8', 443], clientHello('tls.example.com'), serverHello()),
    ...tcp(
      start + 3,
      [client, 40_003],
      ['198.51.100.9', 21],
      bytesOf('USER marker\r\nPASS not-a-secret\r\n'),
      bytesOf('220 ready\r\n331 password\r\n230 in\r\n'),
    ),
    ...beacons,
  ];
}

export const mixedPcap = (): Uint8Array => writePcap(mixedFrames());
