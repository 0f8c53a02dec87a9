import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { specialRanges } from '../../../engine/net/egress/special-address.ts';
import { covers, formatAddress, rangeOfAddress, rangeOfCidr } from '../scope/address-range.ts';
import { allowsAddress } from '../scope/index.ts';
import { reachOfScope } from './reach.ts';

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);

const scopeOf = (texts: readonly string[], pins: readonly string[] = []) => ({
  ranges: texts.flatMap((text) => rangeOfCidr(text) ?? rangeOfAddress(text) ?? []),
  pins: new Map([['api.example', pins]]),
  ports: [{ from: 80, to: 80 }],
  fingerprint: '0'.repeat(64),
});

const isReached = (ranges: readonly string[], address: string): boolean => {
  const asked = rangeOfAddress(address);
  return asked !== null && ranges.some((text) => covers(rangeOfCidr(text) ?? rangeOfAddress(text) ?? asked, asked));
};

describe('what rules let through', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['an address', ['203.0.113.5'], ['203.0.113.5']],
    ['a private range', ['10.1.0.0/16'], ['10.1.0.0/16']],
    ['link-local without the metadata in it', ['169.254.169.252/30'], ['169.254.169.252/31', '169.254.169.255/32']],
    ['metadata by itself', ['169.254.169.254'], ['169.254.169.254']],
    ['a wide range without what is private in it', ['172.0.0.0/11'], ['172.0.0.0/12']],
  ];
  it.each(cases)('is %s', (_, targets, ranges) => {
    expect(reachOfScope(scopeOf(targets), null).ranges).toEqual(ranges);
  });

  it('has names at their pinned addresses', () => {
    expect(reachOfScope(scopeOf([], ['8.8.4.4', '2606:4700::1111']), null).ranges).toEqual([
      '8.8.4.4',
      '2606:4700::1111',
    ]);
  });

  /** At, beside and around special addresses, where the two could differ. */
  const bases = [
    ...specialRanges.map(([range]) => range),
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '2002::/16',
    '8.8.8.8/32',
    '2600::/16',
  ];
  const place = fc
    .tuple(fc.constantFrom(...bases), fc.integer({ min: -3, max: 3 }), fc.boolean())
    .map(([text, by, isEnd]) => {
      const range = rangeOfCidr(text);
      if (range === null) return '1.1.1.1';
      const top = range.family === 4 ? 0xffff_ffffn : (1n << 128n) - 1n;
      const value = (isEnd ? range.last : range.first) + BigInt(by);
      return formatAddress(range.family, value < 0n ? 0n : value > top ? top : value);
    });
  const target = fc
    .tuple(place, fc.integer({ min: 1, max: 128 }), fc.boolean())
    .map(([address, length, isOne]) =>
      isOne ? address : `${address}/${address.includes(':') ? length : Math.min(length, 32)}`,
    );

  it('is what the scope allows, address by address', () => {
    fc.assert(
      fc.property(
        fc.array(target, { minLength: 1, maxLength: 4 }),
        fc.array(place, { minLength: 1, maxLength: 20 }),
        (targets, places) => {
          const scope = scopeOf(targets);
          const { ranges } = reachOfScope(scope, null);
          for (const address of places)
            expect([address, isReached(ranges, address)]).toEqual([address, allowsAddress(scope, address)]);
        },
      ),
      { numRuns: runs },
    );
  });
});
