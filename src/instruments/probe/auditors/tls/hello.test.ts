import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientHello } from '../../../../engine/net/tls/client-hello.ts';
import { suitesOf, weaknessesOf } from './cipher-suites.ts';
import { readHelloAnswer, tlsVersions, writeHello } from './hello.ts';

const runs = { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) };

describe('the hello', () => {
  it.each(tlsVersions)('of version %i (%s) is understood by another reader', (version) => {
    const suites = suitesOf(version);
    const read = readClientHello(writeHello({ version, suites, serverName: 'a.example' }));
    expect(read).toMatchObject({ version, serverName: version === 0x0300 ? null : 'a.example' });
  });

  it('names what is weak in a suite', () => {
    expect(weaknessesOf(0x0003)).toEqual(['export', 'rc4', 'no-forward-secrecy']);
    expect(weaknessesOf(0xc02f)).toEqual([]);
    expect(weaknessesOf(0x1301)).toEqual([]);
    expect(weaknessesOf(0x000a)).toEqual(['3des', 'no-forward-secrecy', 'cbc']);
    expect(weaknessesOf(0x0009)).toEqual(['des', 'no-forward-secrecy', 'cbc']);
  });

  it('reads any answer without failing', () => {
    const record = fc
      .tuple(fc.constantFrom(20, 21, 22, 23), fc.constantFrom(2, 3), fc.nat(300), fc.uint8Array({ maxLength: 200 }))
      .map(([type, major, length, data]) => Buffer.from([type, major, 3, length >> 8, length & 0xff, ...data]));
    const hello = fc
      .tuple(fc.constantFrom(1, 2), fc.nat(80), fc.uint8Array({ minLength: 30, maxLength: 120 }))
      .map(([type, length, data]) => {
        const message = Buffer.from([type, 0, 0, length, ...data]);
        return Buffer.concat([Buffer.from([22, 3, 3, 0, message.length]), message]);
      });
    const bytes = fc.uint8Array({ maxLength: 100 }).map((data) => Buffer.from(data));
    fc.assert(
      fc.property(fc.array(fc.oneof(record, hello, bytes), { maxLength: 6 }), (parts) => {
        const answer = readHelloAnswer(Buffer.concat(parts));
        expect(answer === null || ['agreed', 'refused', 'garbage'].includes(answer.is)).toBe(true);
      }),
      runs,
    );
  });
});
