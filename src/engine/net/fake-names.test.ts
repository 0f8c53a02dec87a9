import { describe, expect, it } from 'vitest';
import { FakeNames } from './fake-names.ts';

describe('FakeNames', () => {
  it('has one address per name, whatever its spelling, and no name per address twice', () => {
    const names = new FakeNames('seed');
    const addresses = new Set<string>();
    for (let number = 0; number < 5000; number += 1) {
      const { ipv4, ipv6 } = names.addressesOf(`host-${number}.example`);
      addresses.add(ipv4);
      addresses.add(ipv6);
      expect(ipv4).toMatch(/^198\.1[89]\.\d+\.\d+$/);
      expect(names.nameOf(ipv4)).toBe(`host-${number}.example`);
      expect(names.nameOf(ipv6)).toBe(`host-${number}.example`);
    }
    expect(addresses.size).toBe(10_000);
    expect(names.addressesOf('HOST-7.example.')).toBe(names.addressesOf('host-7.example'));
  });

  it('depends on the seed alone', () => {
    const of = (seed: string) => new FakeNames(seed).addressesOf('a.example').ipv4;
    expect(of('one')).toBe(of('one'));
    expect(of('one')).not.toBe(of('two'));
  });

  it('knows what was fixed, in any spelling of the address', () => {
    const names = new FakeNames('seed', { 'Six.example': '2001:0DB8:0::0:5', 'four.example': '203.0.113.5' });
    expect(names.addressesOf('six.example').ipv6).toBe('2001:db8::5');
    expect(names.nameOf('2001:db8:0:0::5')).toBe('six.example');
    expect(names.nameOf('::ffff:203.0.113.5')).toBe('four.example');
  });

  it('forgets the oldest names when there are too many, and counts them', () => {
    const names = new FakeNames('seed', {}, 3);
    const first = names.addressesOf('1.example');
    for (const number of [2, 3, 4]) names.addressesOf(`${number}.example`);
    expect([names.forgotten, names.nameOf(first.ipv4), names.nameOf(first.ipv6)]).toEqual([1, null, null]);
  });

  it('keeps an address out that a rule names, and gives its name another one', () => {
    const names = new FakeNames('seed');
    const before = names.addressesOf('a.example');
    names.keepOut(before.ipv4);
    names.keepOut('8.8.8.8');
    expect([before.ipv4, before.ipv6, '8.8.8.8'].map((each) => names.nameOf(each))).toEqual([
      before.ipv4,
      null,
      '8.8.8.8',
    ]);
    const after = names.addressesOf('a.example');
    expect(after.ipv4).not.toBe(before.ipv4);
    expect(names.nameOf(after.ipv4)).toBe('a.example');
    names.keepOut(before.ipv4);
    expect(names.nameOf(before.ipv4)).toBe(before.ipv4);
  });

  it('has no name for an address that it did not make up', () => {
    expect(new FakeNames('seed').nameOf('8.8.8.8')).toBeNull();
    expect(new FakeNames('seed').nameOf('nonsense')).toBeNull();
  });
});
