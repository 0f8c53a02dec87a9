import { domainToASCII } from 'node:url';
import { canonicalAddress } from '../../../engine/net/addresses.ts';
import { type AddressRange, formatAddress, rangeOfAddress, rangeOfCidr } from './address-range.ts';
import { faultOfHost } from './host-text.ts';
import { carriedAddress, specialsOf } from './special.ts';

/** One line of `targets`: an address, a range of them, or a name. */

export type TargetEntry =
  | { readonly is: 'range'; readonly range: AddressRange }
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'fault'; readonly what: string };

const fault = (what: string): TargetEntry => ({ is: 'fault', what });

/** Whoever connects to 0.0.0.0 or :: reaches this machine, so these would be loopback in disguise. */
function refuseUnspecified(range: AddressRange): TargetEntry {
  const isUnspecified = specialsOf(range).some(({ what }) => what === 'unspecified');
  return isUnspecified
    ? fault('it is no address of a machine; write 127.0.0.1 or ::1 for this one')
    : { is: 'range', range };
}

function readCidr(text: string): TargetEntry {
  const range = rangeOfCidr(text);
  if (range === null) return fault('it is no range of addresses; write one such as 10.0.0.0/24 or 2001:db8::/64');
  const [address = '', length = ''] = text.split('/');
  const carried = carriedAddress(range);
  if (carried !== null) {
    const rest = Number(length) - 96;
    const same = rest < 0 ? 'a range of IPv4 addresses' : `${carried}${rest < 32 ? `/${rest}` : ''}`;
    return fault(`it is made of IPv4 addresses inside of IPv6 ones; write it as ${same}`);
  }
  const first = formatAddress(range.family, range.first);
  if (`${first}/${length}` === text) return refuseUnspecified(range);
  const isFirst = canonicalAddress(address) === first;
  const what = isFirst ? 'it is not the one spelling of its range' : 'its address is not the first of the range';
  return fault(`${what}; write ${first}/${length}${isFirst ? '' : ', or the address alone'}`);
}

function readHost(text: string): TargetEntry {
  const found = faultOfHost(text);
  if (found !== null) {
    const ascii = /[^\x20-\x7e]/.test(text) ? domainToASCII(text) : '';
    const isUsable = ascii !== '' && faultOfHost(ascii) === null;
    return fault(`${found.reason}. ${isUsable ? `In ASCII it is ${ascii}.` : found.hint}`);
  }
  const range = rangeOfAddress(text);
  return range === null ? { is: 'name', name: text } : refuseUnspecified(range);
}

export function readTarget(text: string): TargetEntry {
  return /^[0-9A-Fa-f:.]*\/\d*$/.test(text) ? readCidr(text) : readHost(text);
}
