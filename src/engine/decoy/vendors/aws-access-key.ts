import type { Vendor } from '../canary.ts';
import { encodeBase32 } from '../recognise/encodings.ts';

/**
 * `AKIA` and ten bytes in base32, whose first 48 bits hold the account number at bits 7 to 46. Anybody can read it back,
 * so it is twelve digits that look like an account.
 */
export const awsAccessKey: Vendor = {
  id: 'aws-access-key',
  title: 'AWS access key id',
  kind: 'cloud',
  make: (random) => {
    const account = BigInt(100_000_000_000 + random.below(2 ** 32) * 200);
    const bytes = random.bytes(10);
    const mixed = (1n << 47n) | (account << 7n) | BigInt((bytes[5] ?? 0) & 0x7f);
    bytes.writeUIntBE(Number(mixed), 0, 6);
    return { token: `AKIA${encodeBase32(bytes)}` };
  },
};
