import type { Vendor } from '../canary.ts';
import { makeRsaKey } from '../keys/rsa.ts';

/** Lines of the file well inside the private numbers; the first lines hold the modulus, which is public. */
const provingLines = [9, 12, 15, 18] as const;

export const gcpPrivateKey: Vendor = {
  id: 'gcp-private-key',
  title: 'Private key of a Google Cloud service account',
  kind: 'cloud',
  make: (random) => {
    const { pem, privateExponent } = makeRsaKey(random);
    const lines = pem.split('\n');
    return {
      token: pem,
      needles: [...provingLines.map((line) => Buffer.from(lines[line] ?? '')), privateExponent.subarray(64, 96)],
    };
  },
};
