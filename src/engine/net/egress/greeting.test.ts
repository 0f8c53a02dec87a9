import { PassThrough } from 'node:stream';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tierPolicy } from '../../policy/index.ts';
import { isSameHost, isWholeGreeting, readGreeting } from './greeting.ts';
import { objectTo } from './screen.ts';

/** A real one, from Node's own client. */
async function realHello(servername: string): Promise<Buffer> {
  const wire = new PassThrough();
  const sent = new Promise<Buffer>((resolve) => {
    wire.write = (chunk: Buffer) => {
      resolve(Buffer.from(chunk));
      return true;
    };
  });
  const socket = connect({ socket: wire, servername }).on('error', () => undefined);
  const bytes = await sent;
  socket.destroy();
  return bytes;
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

/** The smallest hello that has these extensions. */
function helloWith(extensions: readonly (readonly [type: number, data: Buffer])[]): Buffer {
  const list = Buffer.concat(extensions.flatMap(([type, data]) => [u16(type), u16(data.length), data]));
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32),
    Buffer.from([0, 0, 2, 0x13, 1, 1, 0]),
    u16(list.length),
    list,
  ]);
  const message = Buffer.concat([Buffer.from([1, 0]), u16(body.length), body]);
  return Buffer.concat([Buffer.from([22, 3, 1]), u16(message.length), message]);
}

function nameExtension(name: string): readonly [number, Buffer] {
  const entry = Buffer.concat([Buffer.from([0]), u16(name.length), Buffer.from(name)]);
  return [0, Buffer.concat([u16(entry.length), entry])];
}

const rest = Array.from({ length: 300 }, (_, at) => [1000 + at, Buffer.alloc(0)] as const);

describe('readGreeting', () => {
  it('reads whom a real hello is for, and holds it until it is whole', async () => {
    const hello = await realHello('api.example');
    expect(readGreeting(hello)).toMatchObject({ is: 'tls', hello: { serverName: 'api.example' } });
    for (let length = 1; length < hello.length; length += 1) {
      expect(isWholeGreeting(hello.subarray(0, length))).toBe(false);
      expect(readGreeting(hello.subarray(0, length))).toEqual({ is: 'unreadable-tls' });
    }
    expect(isWholeGreeting(hello)).toBe(true);
  });

  it.each([
    ['one name', helloWith([nameExtension('a.example')]), 'tls'],
    ['no name', helloWith([]), 'tls'],
    ['two names', helloWith([nameExtension('a.example'), nameExtension('b.example')]), 'unreadable-tls'],
    ['an empty name list', helloWith([[0, Buffer.from([0, 0])]]), 'unreadable-tls'],
    ['a name behind too much', helloWith([...rest, nameExtension('b.example')]), 'unreadable-tls'],
    ['an empty record alone in front', Buffer.from([22, 3, 1, 0, 0, 22, 3, 1, 0, 1, 1]), 'unreadable-tls'],
    ['another handshake message', Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]), 'unreadable-tls'],
    ['SSH', Buffer.from('SSH-2.0-x\r\n'), 'other'],
    ['half a request', Buffer.from('GET / HT'), 'other'],
    ['nothing', Buffer.alloc(0), 'other'],
  ])('%s is %s', (_, bytes, expected) => {
    expect(readGreeting(bytes).is).toBe(expected);
  });

  it.each([
    ['GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n', '/x', 'a.example'],
    ['POST / HTTP/1.0\r\naccept: x\r\nHOST:b:80\r\n\r\nhost: c', '/', 'b:80'],
    ['GET / HTTP/1.1\r\n\r\nhost: body', '/', null],
    ['CONNECT a:443 HTTP/1.1\n\n', 'a:443', null],
  ])('%j asks for %s at %s', (text, path, host) => {
    expect(readGreeting(Buffer.from(text))).toMatchObject({ is: 'http', path, host });
  });

  it('takes any bytes, and never holds back what is not TLS', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const buffer = Buffer.from(bytes);
        readGreeting(buffer);
        if (buffer[0] !== 22) expect(isWholeGreeting(buffer)).toBe(true);
      }),
    );
  });

  it('lets no changed hello through under another name', () => {
    const hello = helloWith([nameExtension('front.example')]);
    const policy = tierPolicy('LOW');
    fc.assert(
      fc.property(fc.nat(hello.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(hello);
        changed[at] = value;
        const greeting = readGreeting(changed);
        if (greeting.is !== 'tls' || greeting.hello.serverName === null) return;
        expect(objectTo(greeting, policy, 'api.example', 443)).not.toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('isSameHost', () => {
  it.each([
    ['api.example', 'api.example', true],
    ['API.Example.', 'api.example', true],
    ['api.example\0', 'api.example', false],
    ['xapi.example', 'api.example', false],
    ['', 'api.example', false],
    ['127.0.0.1', '2130706433', true],
  ])('%j for %j: %j', (serverName, host, expected) => {
    expect(isSameHost(serverName, host)).toBe(expected);
  });
});

describe('objectTo', () => {
  const rules = [
    { host: 'api.example', port: 443 },
    { host: 'other.example', port: 443 },
    { host: '93.184.216.34', port: 443 },
  ];
  const policy = { ...tierPolicy('LOW'), network: { mode: 'allowlist' as const, rules } };

  it.each([
    ['the same name', 'api.example', 'api.example', null],
    ['another listed name', 'other.example', 'api.example', 'another-server-name'],
    ['a name that is not listed', 'front.example', 'api.example', 'another-server-name'],
    ['a listed name for an address', 'other.example', '93.184.216.34', null],
    ['another name for an address', 'front.example', '93.184.216.34', 'another-server-name'],
  ])('%s', (_, serverName, host, expected) => {
    const greeting = readGreeting(helloWith([nameExtension(serverName)]));
    expect(objectTo(greeting, policy, host, 443)?.because ?? null).toBe(expected);
  });
});
