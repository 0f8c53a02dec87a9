import { describe, expect, it } from 'vitest';
import type { DnsRecordSeed } from '../config.ts';
import { FakeNames } from '../fake-names.ts';
import { labelsOf, recordTypes } from './message.ts';
import { fixedNames, Resolver } from './resolve.ts';

function resolver(seeds: readonly DnsRecordSeed[] = []) {
  const names = new FakeNames('seed', fixedNames(seeds));
  const one = new Resolver(names, seeds);
  const ask = (name: string, type: number) => one.resolve({ labels: labelsOf(name), type, class: 1 });
  return { names, ask };
}

describe('Resolver', () => {
  it.each([
    ['localhost', recordTypes.A, '7f000001'],
    ['metadata.google.internal', recordTypes.A, 'a9fea9fe'],
    ['fixed.example', recordTypes.A, 'cb007107'],
    ['two.example', recordTypes.AAAA, '20010db8000000000000000000000099'],
    ['x.example', recordTypes.MX, '000a046d61696c01780765786d706c6500'.replace('0765786d706c65', '076578616d706c65')],
  ])('answers %s with type %i', (name, type, expected) => {
    const seeds: DnsRecordSeed[] = [
      { name: 'fixed.example', type: 'A', value: '203.0.113.7' },
      { name: 'two.example', type: 'AAAA', value: '2001:db8::99' },
    ];
    expect(resolver(seeds).ask(name, type).records[0]?.data.toString('hex')).toBe(expected);
  });

  it('cuts a long text into pieces of 255', () => {
    const { ask } = resolver([{ name: 'long.example', type: 'TXT', value: 'x'.repeat(600) }]);
    const data = ask('long.example', recordTypes.TXT).records[0]?.data ?? Buffer.alloc(0);
    expect([data[0], data[256], data[512], data.length]).toEqual([255, 255, 90, 603]);
  });

  it.each([
    ['MX', 'mail.example'],
    ['MX', '1 2 3'],
    ['SRV', '1 2'],
    ['A', '2001:db8::1'],
    ['A', 'nonsense'],
    ['AAAA', '1.2.3.4'],
  ] as const)('gives nothing for a seed of type %s that says %j', (type, value) => {
    const { ask } = resolver([{ name: 'odd.example', type, value }]);
    expect(ask('odd.example', recordTypes[type])).toEqual({ code: 0, records: [] });
  });

  it('gives an answer so many times and then the next', () => {
    const { ask } = resolver([
      { name: 'turn.example', type: 'A', value: '192.0.2.1', times: 2 },
      { name: 'turn.example', type: 'A', value: '127.0.0.1' },
    ]);
    const first = (): string => [...(ask('turn.example', recordTypes.A).records[0]?.data ?? [])].join('.');
    expect([first(), first(), first(), first()]).toEqual(['192.0.2.1', '192.0.2.1', '127.0.0.1', '127.0.0.1']);
  });

  it('takes an address back to its name, and knows no other', () => {
    const { ask, names } = resolver();
    const { ipv4 } = names.addressesOf('back.example');
    const reverse = `${ipv4.split('.').toReversed().join('.')}.in-addr.arpa`;
    expect(ask(reverse, recordTypes.PTR).records[0]?.data.toString('latin1')).toBe('\x04back\x07example\0');
    for (const name of ['1.0.0.10.in-addr.arpa', 'no.in-addr.arpa', '999.999.999.999.in-addr.arpa', 'x.ip6.arpa']) {
      expect(ask(name, recordTypes.PTR).code).toBe(3);
    }
  });
});
