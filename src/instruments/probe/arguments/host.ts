import { isIP } from 'node:net';
import type { Aim } from '../contract.ts';
import { objectToAddress } from '../scope/reach.ts';
import type { LoadedScope } from '../scope/scope.ts';
import { listShortly } from './refuse.ts';

/** A well-written host, held against the scope. */

export type HostAim = Pick<Aim, 'host' | 'addresses'>;

export interface OutsideHost {
  readonly outside: string;
  readonly hint: string;
}

function namesLeadingTo({ pins }: LoadedScope, address: string): readonly string[] {
  return [...pins].flatMap(([name, addresses]) => (addresses.includes(address) ? [name] : []));
}

export function aimAtHost(scope: LoadedScope, host: string): HostAim | OutsideHost {
  const hint = `The scope has ${listShortly(scope.document.targets)}.`;
  if (isIP(host) === 0) {
    const addresses = scope.pins.get(host);
    return addresses === undefined ? { outside: 'the scope does not list this name', hint } : { host, addresses };
  }
  const objection = objectToAddress(scope.ranges, host);
  if (objection === null) return { host, addresses: [host] };
  const names = namesLeadingTo(scope, host);
  return { outside: objection.detail, hint: names.length === 0 ? hint : `Give the name: ${listShortly(names)}.` };
}
