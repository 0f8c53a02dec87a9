import { type AddressRange, covers, formatAddress, isOneAddress, overlaps } from '../scope/address-range.ts';
import { carrierRanges, specials } from '../scope/special.ts';

/**
 * What an entry of a scope opens, as ranges. A wide range does not open the special addresses that it happens to
 * include, which for rules has to be written out: the range without them.
 */

function holesOf(entry: AddressRange): readonly AddressRange[] {
  const isOne = isOneAddress(entry);
  const isNamed = specials.some((special) => covers(special, entry) && (isOne || special.what !== 'metadata'));
  const closed = isOne ? [] : specials.filter(({ what }) => what === 'metadata' || !isNamed);
  return [...closed, ...(isNamed ? [] : carrierRanges)].filter((hole) => overlaps(hole, entry));
}

const bitsOf = { 4: 32, 6: 128 } as const;

/** Halves are looked at until each is outside of every hole or inside of one. */
function without(range: AddressRange, holes: readonly AddressRange[]): readonly AddressRange[] {
  const near = holes.filter((hole) => overlaps(hole, range));
  if (near.length === 0) return [range];
  if (near.some((hole) => covers(hole, range))) return [];
  const { family, first, last } = range;
  const half = (last - first + 1n) >> 1n;
  const length = bitsOf[family] - (half.toString(2).length - 1);
  const part = (from: bigint): AddressRange => ({
    text: `${formatAddress(family, from)}/${length}`,
    family,
    first: from,
    last: from + half - 1n,
  });
  return [part(first), part(first + half)].flatMap((each) => without(each, near));
}

export function openRanges(entry: AddressRange): readonly AddressRange[] {
  return without(entry, holesOf(entry));
}
