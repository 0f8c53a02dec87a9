import { createCipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuicInitial, quicKeys, readQuicHello } from './quic.ts';

const connection = Buffer.from('8394c8f03e515708', 'hex');

/** What a client does with its first packet (RFC 9001, 5.3 and 5.4), with a packet number of one byte. */
function sealInitial(frames: Buffer): Buffer {
  const keys = quicKeys(1, connection);
  const payload = Buffer.concat([frames, Buffer.alloc(Math.max(0, 1100 - frames.length))]);
  const length = 1 + payload.length + 16;
  const front = Buffer.concat([Buffer.from([0xc0, 0, 0, 0, 1, connection.length]), connection, Buffer.from([0, 0])]);
  const header = Buffer.concat([front, Buffer.from([0x40 | (length >> 8), length & 255, 0])]);
  const cipher = createCipheriv('aes-128-gcm', keys.key, keys.iv);
  cipher.setAAD(header);
  const sealed = Buffer.concat([cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
  const mask = createCipheriv('aes-128-ecb', keys.mask, null).update(sealed.subarray(3, 19));
  header[0] = (header[0] ?? 0) ^ ((mask[0] ?? 0) & 0x0f);
  header[header.length - 1] = mask[1] ?? 0;
  return Buffer.concat([header, sealed]);
}

/** A minimal ClientHello with one server name. */
function hello(name: string): Buffer {
  const host = Buffer.from(name);
  const list = Buffer.concat([Buffer.from([0, 0, host.length]), host]);
  const extension = Buffer.concat([Buffer.from([0, 0, 0, list.length + 2, 0, list.length]), list]);
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(32),
    Buffer.from([0, 0, 2, 0x13, 1, 1, 0, 0, extension.length]),
    extension,
  ]);
  return Buffer.concat([Buffer.from([1, 0, 0, body.length]), body]);
}

const crypto = (offset: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([6, offset, 0x40, data.length]), data]);

describe('quicKeys', () => {
  it('are those of the example in RFC 9001, appendix A.1', () => {
    const { key, iv, mask } = quicKeys(1, connection);
    expect([key, iv, mask].map((each) => each.toString('hex'))).toEqual([
      '1f369613dd76d5467730efcbe3b1a22d',
      'fa044b2f42a3fd3b46fb255c',
      '9f50449e04a0e810283a1e9933adedd2',
    ]);
  });
});

describe('readQuicHello', () => {
  it('reads the name in a first packet', () => {
    const packet = sealInitial(crypto(0, hello('quic.example')));
    expect(isQuicInitial(packet)).toBe(true);
    expect(readQuicHello(packet)?.serverName).toBe('quic.example');
  });

  it('puts pieces together that are out of order', () => {
    const whole = hello('mixed.example');
    const packet = sealInitial(
      Buffer.concat([crypto(20, whole.subarray(20)), Buffer.from([0, 1, 0]), crypto(0, whole.subarray(0, 20))]),
    );
    expect(readQuicHello(packet)?.serverName).toBe('mixed.example');
  });

  it('cannot read a packet that was changed, cut off or is for later', () => {
    const packet = sealInitial(crypto(0, hello('quic.example')));
    const changed = Buffer.from(packet);
    changed[packet.length - 1] = (changed[packet.length - 1] ?? 0) ^ 1;
    expect(readQuicHello(changed)).toBeNull();
    expect(readQuicHello(packet.subarray(0, 100))).toBeNull();
    expect(readQuicHello(sealInitial(crypto(40, hello('quic.example'))))).toBeNull();
  });

  it('never throws, whatever it is given', () => {
    const packet = sealInitial(crypto(0, hello('quic.example')));
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 60, maxLength: 400 }), (bytes) => {
        readQuicHello(Buffer.concat([Buffer.from([0xc3, 0, 0, 0, 1]), bytes]));
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.nat(60), fc.nat(255), fc.nat(packet.length), (at, byte, end) => {
        const changed = Buffer.from(packet);
        changed[at] = byte;
        readQuicHello(changed.subarray(0, end));
      }),
      { numRuns: 1000 },
    );
  });
});
