import { formatAddress } from '../scope/address-range.ts';
import { type LoadedScope, namesAddress } from '../scope/index.ts';

/** The hosts of a scope one by one; of wide ranges no more than a run can look at. */

const mostHosts = 256;
/** Of a wide range the beginning may be addresses that no range opens. */
const mostTried = 4096n;

export function hostsOf(scope: LoadedScope): { readonly hosts: readonly string[]; readonly leftOut: number } {
  const hosts = new Set<string>(scope.pins.keys());
  let leftOut = 0n;
  for (const { family, first, last } of scope.ranges) {
    for (let value = first; value <= last; value += 1n) {
      if (hosts.size >= mostHosts || value - first >= mostTried) {
        leftOut += last - value + 1n;
        break;
      }
      const address = formatAddress(family, value);
      if (namesAddress(scope, address)) hosts.add(address);
    }
  }
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return { hosts: [...hosts], leftOut: Number(leftOut < most ? leftOut : most) };
}

/** The URLs of the scope on that host; none where it names no URLs. */
export function urlsOf({ urls }: LoadedScope, host: string): readonly string[] {
  return urls.filter((url) => url.host === host).map(({ href }) => href);
}
