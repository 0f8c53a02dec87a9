import type { Vendor } from '../canary.ts';
import { alphabets } from '../random.ts';

/** The encrypted private key of an Ethereum key store: 32 bytes in hex. */
export const ethereumCipherText: Vendor = {
  id: 'ethereum-cipher-text',
  title: 'Encrypted key of an Ethereum wallet',
  kind: 'wallet',
  make: (random) => ({ token: random.text(alphabets.hex, 64) }),
};
