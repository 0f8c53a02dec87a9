import { PassThrough } from 'node:stream';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientHello, tasteHello } from './client-hello.ts';

/** A real one, from Node's own client. */
async function realHello(servername: string, ALPNProtocols: string[]): Promise<Buffer> {
  const wire = new PassThrough();
  const sent = new Promise<Buffer>((resolve) => {
    wire.write = (chunk: Buffer) => {
      resolve(Buffer.from(chunk));
      return true;
    };
  });
  const socket = connect({ socket: wire, servername, ALPNProtocols });
  socket.on('error', () => undefined);
  const bytes = await sent;
  socket.destroy();
  return bytes;
}

describe('readClientHello', () => {
  it('reads what a real client sends', async () => {
    const hello = readClientHello(await realHello('deep.example.com', ['h2', 'http/1.1']));
    expect(hello).toMatchObject({ serverName: 'deep.example.com', alpn: ['h2', 'http/1.1'], version: 0x0304 });
    expect(hello?.ciphers).toContain(0x1301);
  });

  it('puts a hello together that comes in many records', async () => {
    const whole = await realHello('split.example', []);
    const body = whole.subarray(5);
    const pieces: Buffer[] = [];
    for (let at = 0; at < body.length; at += 50) {
      const piece = body.subarray(at, at + 50);
      pieces.push(Buffer.from([22, 3, 1, 0, piece.length]), piece);
    }
    const split = Buffer.concat(pieces);
    expect(tasteHello(split)).toBe('yes');
    expect(tasteHello(split.subarray(0, -1))).toBe('more');
    expect(readClientHello(split)?.serverName).toBe('split.example');
  });

  it('says yes exactly when the whole hello is there', async () => {
    const whole = await realHello('a.example', ['h2']);
    for (let end = 1; end < whole.length; end += 1) expect(tasteHello(whole.subarray(0, end))).toBe('more');
    expect(tasteHello(whole)).toBe('yes');
  });

  it.each([
    ['a request', Buffer.from('GET / HTTP/1.1\r\n')],
    ['another record', Buffer.from([23, 3, 3, 0, 5, 1, 2, 3, 4, 5])],
    ['a server hello', Buffer.from([22, 3, 3, 0, 5, 2, 0, 0, 1, 0])],
    ['another major version', Buffer.from([22, 9, 3, 0, 5, 1])],
  ])('does not take %s for one', (_, bytes) => {
    expect(tasteHello(bytes)).toBe('no');
  });

  it('never throws, whatever it is given', async () => {
    const whole = await realHello('fuzz.example', ['h2']);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        readClientHello(Buffer.concat([Buffer.from([22, 3, 1]), bytes]));
        tasteHello(Buffer.concat([Buffer.from([22, 3, 1]), bytes]));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, end) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        readClientHello(changed.subarray(0, end));
      }),
      { numRuns: 2000 },
    );
  });
});
