import { carrierRanges as carrierTexts, specialRanges } from '../../../engine/net/egress/special-address.ts';
import { type AddressRange, covers, formatAddress, isOneAddress, rangeOfCidr } from './address-range.ts';

/** What an address is beside the public internet, and whether an entry of a scope names that or merely includes it. */

export interface SpecialRange extends AddressRange {
  readonly what: string;
}

function readAll<T>(table: readonly (readonly [range: string, value: T])[]): readonly (readonly [AddressRange, T])[] {
  return table.flatMap(([text, value]) => {
    const range = rangeOfCidr(text);
    return range === null ? [] : [[range, value] as const];
  });
}

export const specials: readonly SpecialRange[] = readAll(specialRanges).map(([range, what]) => ({ ...range, what }));

/** IPv6 ranges whose addresses carry an IPv4 address, and how many bits stand behind it. */
const carriers = readAll<bigint>(carrierTexts.map(([range, at]) => [range, BigInt((12 - at) * 8)]));

export const carrierRanges: readonly AddressRange[] = carriers.map(([range]) => range);

export function specialsOf(range: AddressRange): readonly SpecialRange[] {
  return specials.filter((special) => covers(special, range));
}

/**
 * The IPv4 address that an IPv6 range is about, or the first of several; null when it is about none. `::1` and `::` are
 * addresses of their own.
 */
export function carriedAddress(range: AddressRange): string | null {
  if (specialsOf(range).length > 0) return null;
  const found = carriers.find(([carrier]) => covers(carrier, range));
  return found === undefined ? null : formatAddress(4, (range.first >> found[1]) & 0xffff_ffffn);
}

/**
 * Whether an entry of a scope opens an address that lies in special ranges. A wide range that happens to include private
 * addresses was not written with them in mind, and a metadata service gives out keys: only its own address names it.
 */
export function namesSpecial(entry: AddressRange, kinds: readonly SpecialRange[]): boolean {
  if (kinds.some(({ what }) => what === 'metadata')) return isOneAddress(entry);
  return kinds.some((special) => covers(special, entry));
}
