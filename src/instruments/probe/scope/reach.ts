import { canonicalAddress } from '../../../engine/net/addresses.ts';
import { type AddressRange, covers, rangeOfAddress } from './address-range.ts';
import { coversPorts } from './port-list.ts';
import type { LoadedScope } from './scope.ts';
import { carriedAddress, namesSpecial, specialsOf } from './special.ts';

/** Where connections may go. The same answer for whoever asks: an argument, a resolved name, a packet at the gate. */

export type ReachRefusal = 'not-an-address' | 'carried-address' | 'not-listed' | 'special-address' | 'port';

export type ReachDecision =
  | { readonly is: 'allowed' }
  | { readonly is: 'refused'; readonly because: ReachRefusal; readonly detail: string };

type Objection = Extract<ReachDecision, { readonly is: 'refused' }>;

const refuse = (because: ReachRefusal, detail: string): Objection => ({ is: 'refused', because, detail });

/** Why the entries do not open an address; null when one of them does. */
export function objectToAddress(ranges: readonly AddressRange[], address: string, isPinned = false): Objection | null {
  const asked = rangeOfAddress(address);
  if (asked === null) return refuse('not-an-address', 'it is no address');
  if (carriedAddress(asked) !== null) {
    return refuse('carried-address', `${asked.text} carries an IPv4 address, and no scope can name it`);
  }
  const entries = ranges.filter((range) => covers(range, asked));
  if (entries.length === 0 && !isPinned) return refuse('not-listed', `the scope does not list ${asked.text}`);
  const kinds = specialsOf(asked);
  if (kinds.length === 0 || entries.some((entry) => namesSpecial(entry, kinds))) return null;
  const kind = kinds.some(({ what }) => what === 'metadata') ? 'metadata' : kinds[0]?.what;
  const how = kind === 'metadata' ? 'by itself' : 'as such';
  return refuse('special-address', `${asked.text} is a ${kind} address, and the scope does not name it ${how}`);
}

/** Whether the targets hold it as an address, and not merely a name that led to it. */
export function namesAddress(scope: Pick<LoadedScope, 'ranges'>, address: string): boolean {
  return objectToAddress(scope.ranges, address) === null;
}

function isPinned({ pins }: Pick<LoadedScope, 'pins'>, address: string): boolean {
  const asked = canonicalAddress(address);
  return [...pins.values()].some((addresses) => addresses.includes(asked));
}

export function allowsAddress(scope: Pick<LoadedScope, 'ranges' | 'pins'>, address: string): boolean {
  return objectToAddress(scope.ranges, address, isPinned(scope, address)) === null;
}

export function allowsPort(scope: Pick<LoadedScope, 'ports'>, port: number): boolean {
  return Number.isInteger(port) && coversPorts(scope.ports, { from: port, to: port });
}

export function decideReach(
  scope: Pick<LoadedScope, 'ranges' | 'pins' | 'ports'>,
  address: string,
  port: number,
): ReachDecision {
  const objection = objectToAddress(scope.ranges, address, isPinned(scope, address));
  if (objection !== null) return objection;
  if (!allowsPort(scope, port)) return refuse('port', `port ${port} is not in the scope`);
  return { is: 'allowed' };
}
