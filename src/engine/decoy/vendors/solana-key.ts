import type { Vendor } from '../canary.ts';
import { ed25519PublicKey } from '../keys/ed25519.ts';

/** A Solana wallet is the 64 bytes of seed and public key as a list of numbers. */
export const solanaKey: Vendor = {
  id: 'solana-key',
  title: 'Solana wallet',
  kind: 'wallet',
  make: (random) => {
    const seed = random.bytes(32);
    const numbers = [...seed].join(',');
    return {
      token: `[${numbers},${[...ed25519PublicKey(seed)].join(',')}]`,
      needles: [Buffer.from(numbers), seed],
    };
  },
};
