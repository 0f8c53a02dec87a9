import { notAvailable, yes } from '../../../base/outcome.ts';
import type { HostProbe } from '../contract.ts';
import { findLandlockAbi } from '../landlock-abi.ts';

/** What each ABI adds that Hotcell makes use of. */
const additions: readonly { readonly abi: number; readonly what: string }[] = [
  { abi: 1, what: 'files' },
  { abi: 2, what: 'rename' },
  { abi: 3, what: 'truncate' },
  { abi: 4, what: 'TCP ports' },
  { abi: 5, what: 'device ioctl' },
  { abi: 6, what: 'signals and abstract sockets' },
  { abi: 7, what: 'audit' },
];

export const landlock: HostProbe = {
  id: 'landlock',
  title: 'Landlock',
  usedFor: 'the landlock backend, and a second wall around others',
  async ask() {
    const abi = findLandlockAbi();
    if (abi === 0) {
      return notAvailable(
        'the kernel has no Landlock, or it is not in the list of active security modules',
        'boot with "landlock" in the lsm= list of the kernel command line',
      );
    }
    const covers = additions.filter((entry) => entry.abi <= abi).map((entry) => entry.what);
    return yes({ summary: `ABI ${abi}: ${covers.join(', ')}`, details: { abi, covers } });
  },
};
